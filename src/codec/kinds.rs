//! The traits that codecs implement, one for each kind of codec, and their arguments. A codec's line in
//! `src/metadata/codecs.rs` adds it to the enum of its kind.
//!
//! Each codec turns the description of an array or of bytes into that of what it encodes to, so that the size of each
//! output is bounded before the codec runs.

use std::borrow::Cow;

#[cfg(feature = "rare")]
use rectilinear_zarr_kernels::numeric::Numeric;

use crate::error::{Error, Quantity, Result};
use crate::metadata::{DataType, Extension};
#[cfg(feature = "rare")]
use crate::metadata::{Json, Kind};
use crate::output::Decoded;
#[cfg(any(feature = "bz2", feature = "lzma", feature = "rare", feature = "zstd"))]
use crate::output::memory::reserved;
use crate::output::memory::to_memory;

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

/// The most bytes that a chunk of variable-length items may decode to: 128 MiB.
///
/// The bound is needed because the metadata do not state the size. A frame that declares more is refused before memory
/// is allocated. Where no frame declares a size, memory grows in steps up to this bound. The last step holds the old
/// buffer too, half as large: 192 MiB in all.
pub(super) const MAX_CONTENT_BYTES: usize = 128 << 20;

/// The array that a codec encodes, as far as the metadata state it: without the shape of a chunk.
#[derive(Debug, Clone)]
pub(super) struct CodecInput {
    pub(super) data_type: DataType,
    /// Bytes of one item; for variable-length items, its content.
    pub(super) fill_value: Vec<u8>,
    pub(super) rank: usize,
}

/// Data type and shape of a chunk before or after an array-to-array codec.
pub(super) struct ArraySpec<'a> {
    pub(super) data_type: &'a DataType,
    pub(super) shape: &'a [u64],
}

impl ArraySpec<'_> {
    /// Size of the items in bytes; saturates at `u64::MAX`.
    pub(super) fn size(&self) -> u64 {
        let item_size = self.data_type.item_size() as u64;
        self.shape.iter().fold(item_size, |size, &edge| size.saturating_mul(edge))
    }

    /// Number of items.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where it does not fit into memory.
    pub(super) fn items(&self) -> Result<usize> {
        to_memory(self.shape.iter().fold(1, |items: u64, &edge| items.saturating_mul(edge)))
    }
}

#[cfg(feature = "rare")]
impl CodecInput {
    /// Number type of the items.
    pub(super) fn number(&self, extension: &Extension) -> Result<Numeric> {
        number_of(&self.data_type, extension)
    }

    /// Checks that items can be viewed as the number type of a field: their own type, or an integer type of their size.
    pub(super) fn check_view(&self, number: Numeric, field: Json<'_>) -> Result<()> {
        let is_own = self.data_type.numeric() == Some(number);
        let kind = self.data_type.kind();
        let is_whole = matches!(kind, Kind::Bool | Kind::Int | Kind::UInt | Kind::Time { .. });
        let same_bits = number.size() == self.data_type.item_size() && is_whole && !number.is_float();
        if is_own || same_bits {
            return Ok(());
        }
        Err(field.expected(&format!("the data type of the codec's input, {}", self.data_type.name())))
    }
}

/// Number type as which a codec reads items of a data type.
///
/// # Errors
/// [`Error::Unsupported`] for a float type other than float16, float32 and float64; [`Error::InvalidMetadata`] for a
/// data type that is not numeric.
#[cfg(feature = "rare")]
pub(super) fn number_of(data_type: &DataType, extension: &Extension) -> Result<Numeric> {
    data_type.numeric().ok_or_else(|| match data_type.kind() {
        Kind::MiniFloat(_) => Error::Unsupported {
            feature: format!("codec {:?} of {}", extension.name, data_type.name()),
            reason: format!("met at {}; expected float16, float32, float64 or integers", extension.pointer),
        },
        _ => {
            let reason = format!("{} cannot decode {}: expected numbers", extension.name, data_type.name());
            Error::metadata(extension.pointer.as_str(), reason)
        }
    })
}

/// Size in bytes of a codec's output, known before the codec runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Exactly this many bytes.
    Exactly(usize),
    /// At most this many bytes: the size between two compressors is not known.
    AtMost(usize),
}

impl Size {
    /// The most bytes that a compressor may produce from this many bytes: twice as many and a mebibyte.
    ///
    /// No sane encoder expands data by more than a thousandth. The rest leaves room for members and frames of a few
    /// bytes each, and for skippable frames.
    pub(super) fn compressed(self) -> Self {
        let (Self::Exactly(bytes) | Self::AtMost(bytes)) = self;
        Self::AtMost(bytes.saturating_mul(2).saturating_add(1 << 20))
    }

    /// Buffer to decode into: of full capacity where the size is known, else empty, to grow up to the limit.
    #[cfg(any(feature = "bz2", feature = "lzma", feature = "rare", feature = "zstd"))]
    pub(super) fn room(self, slack: usize) -> Result<Vec<u8>> {
        match self {
            Self::Exactly(bytes) => reserved(bytes.saturating_add(slack)),
            Self::AtMost(_) => Ok(Vec::new()),
        }
    }

    /// This size plus a fixed number of bytes.
    pub(super) fn plus(self, more: usize) -> Self {
        match self {
            Self::Exactly(bytes) => Self::Exactly(bytes.saturating_add(more)),
            Self::AtMost(bytes) => Self::AtMost(bytes.saturating_add(more)),
        }
    }

    /// The most bytes that the size allows.
    pub(super) fn limit(self) -> usize {
        let (Self::Exactly(bytes) | Self::AtMost(bytes)) = self;
        bytes
    }

    /// Checks a number of bytes against the size.
    pub(super) fn check(self, codec: &'static str, got: usize) -> Result<()> {
        match self {
            Self::Exactly(bytes) if got != bytes => Err(Error::codec(codec, got, bytes)),
            Self::AtMost(bytes) if got > bytes => Err(self.oversized(codec)),
            _ => Ok(()),
        }
    }

    /// The error for more bytes than the size allows.
    pub(super) fn oversized(self, codec: &'static str) -> Error {
        let expected = match self {
            Self::Exactly(bytes) => bytes.into(),
            Self::AtMost(bytes) => Quantity::Words(format!("at most {bytes} bytes")),
        };
        Error::codec(codec, format!("more than {} bytes", self.limit()), expected)
    }
}
