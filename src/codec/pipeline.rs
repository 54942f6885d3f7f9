//! The codec pipeline of an array: sizes are resolved from the first codec to the last before a byte is requested, and
//! chunks are decoded from the last codec to the first.
//!
//! Invariant: `decode` returns exactly the items of the chunk's shape, and each buffer is bounded before it is
//! allocated.

use std::borrow::Cow;
use std::rc::Rc;

use super::array_spec::ArraySpec;
use super::array_to_array::Step;
use super::array_to_bytes::bytes::BytesCodec;
#[cfg(feature = "grib")]
use super::array_to_bytes::grib2;
#[cfg(feature = "rare")]
use super::array_to_bytes::objects;
#[cfg(feature = "rare")]
use super::array_to_bytes::packbits;
#[cfg(feature = "pcodec")]
use super::array_to_bytes::pcodec;
use super::array_to_bytes::variable;
#[cfg(feature = "rare")]
use super::array_to_bytes::vlen_array;
#[cfg(feature = "zfp")]
use super::array_to_bytes::{zfp, zfpy};
use super::bytes_to_bytes::BytesToBytes;
use super::chain::on_demand::External;
use super::layout::{Layout, LayoutCache, Resolved};
use super::size::Size;
use crate::error::Result;
use crate::metadata::DataType;
use crate::output::Decoded;
use crate::parts::{Codecs, Grids, Loaded};

/// The codec pipeline of an array, or of the inner chunks of a shard.
#[derive(Debug, Clone)]
pub struct Pipeline {
    pub(super) data_type: DataType,
    pub(super) array_to_array: Vec<Step>,
    pub(super) array_to_bytes: ArrayToBytes,
    pub(super) bytes_to_bytes: Vec<BytesToBytes>,
    pub(super) known: LayoutCache,
}

/// An array-to-bytes codec; each pipeline has one.
#[derive(Debug, Clone)]
pub(super) enum ArrayToBytes {
    Bytes(BytesCodec),
    /// Stands for the array-to-bytes codec before a part of a pipeline.
    Content,
    /// Stands for a whole pipeline with codecs that this module lacks.
    External(External),
    /// Stands for a whole pipeline that no build decodes.
    Unknown,
    #[cfg(feature = "grib")]
    Grib2(grib2::Grib2),
    #[cfg(feature = "rare")]
    N5(N5Default),
    #[cfg(feature = "rare")]
    Objects(objects::Objects),
    #[cfg(feature = "rare")]
    PackBits(packbits::PackBits),
    #[cfg(feature = "pcodec")]
    Pcodec(pcodec::Pcodec),
    Variable(variable::Variable, Loaded<Codecs>),
    #[cfg(feature = "rare")]
    VlenArray(vlen_array::VlenArray),
    Sharding(Sharding),
    #[cfg(feature = "zfp")]
    Zfp(zfp::Zfp),
    #[cfg(feature = "zfp")]
    Zfpy(zfpy::Zfpy),
}

/// The configuration of `sharding_indexed`. It is defined beside [`Pipeline`] because it contains pipelines.
#[derive(Debug, Clone)]
pub struct Sharding {
    pub(super) part: Loaded<Grids>,
    pub(super) chunk_shape: Vec<u64>,
    pub(super) inner: Box<Pipeline>,
    pub(super) index: Box<Pipeline>,
    pub(super) index_at_start: bool,
    pub(super) data_type: DataType,
    pub(super) fill_value: Vec<u8>,
    /// JSON pointer of the chunk shape.
    pub(super) pointer: String,
}

/// The configuration of `n5_default`, which contains a pipeline too.
#[cfg(feature = "rare")]
#[derive(Debug, Clone)]
pub(super) struct N5Default {
    /// The codecs of a block after its header.
    pub(super) block: Box<Pipeline>,
    pub(super) fill_value: Vec<u8>,
}

impl Pipeline {
    /// The type of the decoded items.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The sharding codec, where it is the pipeline's only codec: inner chunks can then be read one by one.
    #[must_use]
    pub fn shards(&self) -> Option<&Sharding> {
        match &self.array_to_bytes {
            ArrayToBytes::Sharding(shards)
                if self.array_to_array.is_empty() && self.bytes_to_bytes.is_empty() =>
            {
                Some(shards)
            }
            _ => None,
        }
    }

    /// Whether other modules of the package are needed to decode these chunks, or their inner chunks.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.external().is_some()
    }

    /// Whether the module `rare` is one of them.
    #[must_use]
    pub fn is_rare(&self) -> bool {
        self.external().is_some_and(|external| external.is_rare)
    }

    pub(super) fn external(&self) -> Option<External> {
        match &self.array_to_bytes {
            ArrayToBytes::External(external) => Some(external.clone()),
            ArrayToBytes::Sharding(shards) => shards.inner.external(),
            _ => None,
        }
    }

    /// Size of a decoded chunk of this shape in bytes; saturates at `u64::MAX`.
    #[must_use]
    pub fn decoded_size(&self, shape: &[u64]) -> u64 {
        ArraySpec { data_type: &self.data_type, shape }.size()
    }

    /// Size in bytes of the largest array between the codecs for a chunk of this shape; saturates at `u64::MAX`.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where a codec does not accept the shape.
    pub fn largest_size(&self, shape: &[u64]) -> Result<u64> {
        Ok(self.resolved(shape)?.largest)
    }

    /// Size of a stored chunk of this shape in bytes; `None` where a codec's output has no fixed size.
    #[must_use]
    pub(super) fn encoded_size(&self, shape: &[u64]) -> Option<usize> {
        match self.resolved(shape).ok()?.layout().ok()?.stored() {
            Size::Exactly(bytes) => Some(bytes),
            Size::AtMost(_) => None,
        }
    }

    /// Decodes a stored chunk of this shape.
    ///
    /// # Errors
    /// [`Error::Codec`] where a checksum or a length differs or a codec fails, [`Error::Unsupported`]
    /// where memory is too small.
    pub fn decode<'a>(&self, encoded: Cow<'a, [u8]>, shape: &[u64]) -> Result<Decoded<'a>> {
        let resolved = self.resolved(shape)?;
        let Layout { sizes, strides, item_strides, .. } = resolved.layout()?;
        let bytes = self.decode_bytes(encoded, sizes)?;
        let spec = ArraySpec { data_type: self.encoded_type(), shape: resolved.encoded_shape() };
        let decoded = self.array_to_bytes.decode(bytes, &spec, strides.clone())?;
        // Codecs that calculate with items need little-endian numbers.
        let decoded = if item_strides.is_some() { decoded } else { decoded.into_little_endian() };
        let steps = self.array_to_array.iter().zip(resolved.shapes.windows(2));
        steps.rev().try_fold(decoded, |decoded, (step, shapes)| step.decode(decoded, &shapes[0], &shapes[1]))
    }

    /// Whether decoded chunks may have big-endian items, whose bytes are reversed when they are copied to the result.
    #[must_use]
    pub fn leaves_big_endian(&self) -> bool {
        match &self.array_to_bytes {
            ArrayToBytes::Bytes(codec) => matches!(codec, BytesCodec::Reversed(_)),
            ArrayToBytes::Sharding(shards) => shards.inner().leaves_big_endian(),
            _ => false,
        }
    }

    /// Strides in bytes of items in a stored chunk, along each axis of the array; `None` where a chunk is not stored as
    /// uncompressed items.
    #[must_use]
    pub fn plain_strides(&self, shape: &[u64]) -> Option<Vec<usize>> {
        self.bytes_to_bytes.is_empty().then(|| self.item_strides(shape))?
    }

    /// Like [`Pipeline::plain_strides`], but `None` also for big-endian items.
    #[must_use]
    pub fn stored_strides(&self, shape: &[u64]) -> Option<Vec<usize>> {
        let is_in_order = matches!(self.array_to_bytes, ArrayToBytes::Bytes(BytesCodec::AsStored));
        is_in_order.then(|| self.plain_strides(shape))?
    }

    /// Strides in bytes of items before compression, along each axis of the array; `None` where codecs change items.
    pub(super) fn item_strides(&self, shape: &[u64]) -> Option<Vec<usize>> {
        self.resolved(shape).ok()?.layout().ok()?.item_strides.clone()
    }

    /// Whether a chunk of this shape is stored as uncompressed items.
    #[must_use]
    pub fn is_plain(&self, shape: &[u64]) -> bool {
        let is_items = |resolved: Rc<Resolved>| resolved.layout.as_ref()?.item_strides.as_ref().map(drop);
        self.bytes_to_bytes.is_empty() && self.resolved(shape).ok().and_then(is_items).is_some()
    }

    /// Decodes items of a chunk that is stored as uncompressed items: all of them or some, with these strides in bytes.
    #[must_use]
    pub fn decode_items<'a>(&self, items: Cow<'a, [u8]>, strides: Vec<usize>) -> Decoded<'a> {
        let (bytes, reversed) = match &self.array_to_bytes {
            ArrayToBytes::Bytes(codec) => codec.decode(items),
            _ => (items, None),
        };
        Decoded { bytes, strides, heap: Cow::Borrowed([].as_slice()), reversed }
    }

    /// Checks the size of a stored chunk of this shape, before memory is allocated for it.
    ///
    /// # Errors
    /// [`Error::Codec`] where the chunk has too many or too few bytes.
    pub fn check_encoded(&self, length: usize, shape: &[u64]) -> Result<()> {
        self.resolved(shape)?.layout()?.stored().check(self.outermost(), length)
    }

    pub(super) fn outermost(&self) -> &'static str {
        self.bytes_to_bytes.last().map_or(self.array_to_bytes.name(), BytesToBytes::name)
    }

    /// Undoes the bytes-to-bytes codecs, last first.
    pub(super) fn decode_bytes<'a>(&self, encoded: Cow<'a, [u8]>, sizes: &[Size]) -> Result<Cow<'a, [u8]>> {
        sizes[sizes.len() - 1].check(self.outermost(), encoded.len())?;
        let steps = self.bytes_to_bytes.iter().zip(sizes);
        steps.rev().try_fold(encoded, |encoded, (codec, size)| codec.decode(encoded, *size))
    }

    /// Data type after the last array-to-array codec.
    pub(super) fn encoded_type(&self) -> &DataType {
        self.array_to_array.last().map_or(&self.data_type, |step| &step.encoded_type)
    }
}
