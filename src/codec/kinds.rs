//! What a codec of each kind implements. Its line in `src/metadata/codecs.rs` does the rest.

use std::borrow::Cow;

use super::array_spec::{ArraySpec, CodecInput};
use super::size::Size;
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;

/// Decoding rate of a codec that was not measured, in bytes per microsecond.
pub(crate) const UNKNOWN_RATE: u64 = 100;

/// Decoding rate of a codec whose time is negligible.
pub(crate) const NO_TIME: u64 = u64::MAX;

/// A codec with the names of its line.
pub(crate) trait Named {
    /// Its names in metadata, the usual one first.
    const NAMES: &'static [&'static str];

    /// The name that a metadata entry of the codec has.
    fn named(extension: &Extension) -> &'static str {
        Self::NAMES.iter().find(|name| **name == extension.name).unwrap_or(&Self::NAMES[0])
    }
}

/// Shapes of a chunk before and after an array-to-array codec.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkShapes<'a> {
    pub(crate) decoded: &'a [u64],
    pub(crate) encoded: &'a [u64],
}

/// A codec that encodes an array as another array.
pub(crate) trait ArrayToArrayCodec: Named + Sized {
    /// How the codec reads memory whose bytes are in either order.
    const BYTE_ORDER: ByteOrderUse = ByteOrderUse::Any;

    /// Parses a metadata entry; also returns the input of the next codec.
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)>;

    /// Shape of the encoded chunk for a decoded chunk of this shape.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where the codec does not accept the shape.
    fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        Ok(shape.to_vec())
    }

    /// Strides in bytes along the decoded axes; `None` where the codec changes items.
    fn decoded_strides(&self, _encoded: &[usize]) -> Option<Vec<usize>> {
        None
    }

    /// Decodes a chunk.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where an item cannot be decoded, [`crate::Error::Unsupported`] where memory is too
    /// small.
    fn decode<'a>(&self, chunk: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>>;
}

/// How zarr-python's form of an array-to-array codec reads memory whose bytes are in either order.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ByteOrderUse {
    /// It moves items, or leaves them unchanged.
    Keeps,
    /// It calculates with numbers in any byte order, or with single bytes.
    Any,
    /// It views memory as the types in these fields of its configuration, byte order included.
    Views {
        /// Field for the type of decoded items.
        decoded: &'static str,
        /// Field for the type of encoded items.
        encoded: &'static str,
        /// Whether it declares the encoded type to the next codec.
        is_declared: bool,
    },
}

/// A codec that encodes an array as bytes.
pub(crate) trait ArrayToBytesCodec: Named + Sized {
    /// Parses a metadata entry.
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self>;

    /// The name that the metadata give the codec.
    fn name(&self) -> &'static str {
        Self::NAMES[0]
    }

    /// Size of the encoded chunk for a chunk whose items take `whole` bytes.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where memory is too small.
    fn encoded_size(&self, spec: &ArraySpec<'_>, whole: usize) -> Result<Size>;

    /// Decoded bytes per microsecond; see [`super::Pipeline::decoded_rate`].
    fn decoded_rate(&self) -> u64 {
        UNKNOWN_RATE
    }

    /// Decodes a chunk of this data type and shape; `strides` are those of items in C order.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where the bytes are damaged.
    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>>;
}

/// A codec that encodes bytes as bytes.
pub(crate) trait BytesToBytesCodec: Named + Sized {
    /// Parses a metadata entry.
    fn parse(extension: &Extension) -> Result<Self>;

    /// The name that the metadata give the codec.
    fn name(&self) -> &'static str {
        Self::NAMES[0]
    }

    /// Size of the encoded bytes for bytes of this size.
    fn encoded_size(&self, decoded: Size) -> Size {
        decoded.compressed()
    }

    /// Decoded bytes per microsecond; see [`super::Pipeline::decoded_rate`].
    fn decoded_rate(&self) -> u64 {
        UNKNOWN_RATE
    }

    /// Decodes to bytes of this size; any other number of bytes is an error.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where the bytes are damaged.
    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>>;
}
