//! The codecs of an array in order: resolved down before a byte is asked for, decoded up.
//!
//! Invariant: what `decode` returns has exactly the items of the chunk's shape, and every buffer on
//! the way was bounded before it was allocated.

use std::borrow::Cow;

use super::bytes_to_bytes::BytesToBytes;
use super::memory::{Size, to_memory};
use super::sharding::Sharding;
use super::transpose::Transpose;
use super::{ArrayToBytes, Codec, bytes, sharding};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension};

/// The most content that a chunk of items of any length may decode to: 256 MiB.
///
/// The reason: nothing in the metadata tells its size, and memory for it only grows as it comes.
const MAX_CONTENT_BYTES: usize = 256 << 20;

/// The codec pipeline of an array, or of the inner chunks of a shard.
#[derive(Debug, Clone)]
pub struct Pipeline {
    data_type: DataType,
    array_to_array: Vec<Transpose>,
    array_to_bytes: ArrayToBytes,
    bytes_to_bytes: Vec<BytesToBytes>,
}

/// A decoded chunk: its items, and how far apart they lie along each axis.
///
/// The bytes are those that came in where no codec had to change them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The items, little endian, without gaps.
    pub bytes: Cow<'a, [u8]>,
    /// Bytes from one item to the next along each axis of the array.
    pub strides: Vec<usize>,
    /// What the items refer to, where they are of any length.
    pub heap: Cow<'a, [u8]>,
}

impl Decoded<'_> {
    /// The same, free of what it was decoded from; copies only what is borrowed.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded {
            bytes: Cow::Owned(self.bytes.into_owned()),
            strides: self.strides,
            heap: Cow::Owned(self.heap.into_owned()),
        }
    }
}

impl Pipeline {
    /// The pipeline that a list of codecs, at a JSON pointer, describes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] names a codec that this build lacks; [`Error::InvalidMetadata`] says
    /// what is wrong with a configuration, or with the order of the codecs.
    pub fn parse(
        codecs: &[Extension],
        pointer: &str,
        data_type: &DataType,
        fill_value: &[u8],
        rank: usize,
    ) -> Result<Self> {
        let mut array_to_array = Vec::new();
        let mut array_to_bytes = None;
        let mut bytes_to_bytes = Vec::new();
        for extension in codecs {
            match Codec::parse(extension, data_type, fill_value, rank)? {
                None => {}
                Some(Codec::ArrayToArray(codec)) if array_to_bytes.is_none() => array_to_array.push(codec),
                Some(Codec::ArrayToBytes(codec)) if array_to_bytes.is_none() => array_to_bytes = Some(codec),
                Some(Codec::BytesToBytes(codec)) if array_to_bytes.is_some() => bytes_to_bytes.push(codec),
                Some(_) => {
                    let reason = format!(
                        "the codec {:?} is out of order: arrays to arrays come first, then one codec \
                         that turns the array into bytes, then bytes to bytes",
                        extension.name
                    );
                    return Err(Error::metadata(extension.pointer.as_str(), reason));
                }
            }
        }
        let Some(array_to_bytes) = array_to_bytes else {
            return Err(Error::metadata(pointer, "no codec turns the array into bytes; expected \"bytes\""));
        };
        Ok(Self { data_type: data_type.clone(), array_to_array, array_to_bytes, bytes_to_bytes })
    }

    /// The type of the decoded items.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The shards that this pipeline's chunks are, where parts of them can be read: where nothing stands before or
    /// after the sharding codec.
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

    /// The shape of the innermost chunks that can be read alone, where chunks are shards.
    #[must_use]
    pub fn inner_chunk_shape(&self) -> Option<Vec<u64>> {
        let shards = self.shards()?;
        Some(shards.inner().inner_chunk_shape().unwrap_or_else(|| shards.chunk_shape().to_vec()))
    }

    /// That chunks of this shape can be encoded by this pipeline: that shards are whole inner chunks.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`].
    pub fn check(&self, shape: &[u64]) -> Result<()> {
        let ArrayToBytes::Sharding(shards) = &self.array_to_bytes else { return Ok(()) };
        shards.grid(&self.encoded_shape(shape))?;
        shards.inner().check(shards.chunk_shape())
    }

    /// Bytes of a decoded chunk of this shape; saturates at `u64::MAX`.
    #[must_use]
    pub fn decoded_size(&self, shape: &[u64]) -> u64 {
        shape.iter().fold(self.data_type.item_size() as u64, |size, &edge| size.saturating_mul(edge))
    }

    /// Bytes of a stored chunk of this shape, where every codec's output has a fixed size.
    #[must_use]
    pub(super) fn encoded_size(&self, shape: &[u64]) -> Option<usize> {
        match self.sizes(shape).ok()?.last() {
            Some(Size::Exactly(bytes)) => Some(*bytes),
            _ => None,
        }
    }

    /// Decodes a stored chunk of this shape.
    ///
    /// # Errors
    /// [`Error::Codec`] where a checksum or a length differs or a codec fails, [`Error::Unsupported`]
    /// where there is too little memory.
    pub fn decode<'a>(&self, encoded: Cow<'a, [u8]>, shape: &[u64]) -> Result<Decoded<'a>> {
        let bytes = self.decode_bytes(encoded, self.sizes(shape)?)?;
        let encoded_shape = self.encoded_shape(shape);
        let none = Cow::Borrowed([].as_slice());
        let mut decoded = match &self.array_to_bytes {
            ArrayToBytes::Bytes(codec) => {
                Decoded { bytes: codec.decode(bytes), strides: self.strides(&encoded_shape)?, heap: none }
            }
            ArrayToBytes::Variable(codec) => {
                let items = to_memory(encoded_shape.iter().product())?;
                let references = Cow::Owned(codec.decode(&bytes, items)?);
                Decoded { bytes: references, strides: self.strides(&encoded_shape)?, heap: bytes }
            }
            ArrayToBytes::Sharding(codec) => codec.decode(&bytes, &encoded_shape)?,
        };
        for codec in self.array_to_array.iter().rev() {
            decoded.strides = codec.decode(&decoded.strides);
        }
        Ok(decoded)
    }

    /// How far apart items lie in a stored chunk, along each axis of the array, where it is nothing but its items.
    #[must_use]
    pub fn plain_strides(&self, shape: &[u64]) -> Option<Vec<usize>> {
        if !self.bytes_to_bytes.is_empty() || !matches!(self.array_to_bytes, ArrayToBytes::Bytes(_)) {
            return None;
        }
        let strides = self.strides(&self.encoded_shape(shape)).ok()?;
        Some(self.array_to_array.iter().rev().fold(strides, |strides, codec| codec.decode(&strides)))
    }

    /// Items of a chunk that is nothing but its items, some of them or all, with the strides that they have there.
    #[must_use]
    pub fn decode_items<'a>(&self, items: Cow<'a, [u8]>, strides: Vec<usize>) -> Decoded<'a> {
        let bytes = match &self.array_to_bytes {
            ArrayToBytes::Bytes(codec) => codec.decode(items),
            _ => items,
        };
        Decoded { bytes, strides, heap: Cow::Borrowed([].as_slice()) }
    }

    /// That a stored chunk of this shape may have so many bytes: asked before they become memory.
    ///
    /// # Errors
    /// [`Error::Codec`] where it has too many, or too few.
    pub fn check_encoded(&self, length: usize, shape: &[u64]) -> Result<()> {
        let sizes = self.sizes(shape)?;
        sizes[sizes.len() - 1].check(self.outermost(), length)
    }

    fn outermost(&self) -> &'static str {
        self.bytes_to_bytes.last().map_or(self.array_to_bytes.name(), BytesToBytes::name)
    }

    /// What each step's bytes may be, from the array side on.
    fn sizes(&self, shape: &[u64]) -> Result<Vec<Size>> {
        let first = match &self.array_to_bytes {
            ArrayToBytes::Bytes(_) => Size::Exactly(to_memory(self.decoded_size(shape))?),
            ArrayToBytes::Variable(_) => {
                // References take memory of their own.
                to_memory(self.decoded_size(shape))?;
                Size::AtMost(MAX_CONTENT_BYTES)
            }
            // Beside the chunks there may be what they were before they were written again.
            ArrayToBytes::Sharding(_) => Size::Exactly(to_memory(self.decoded_size(shape))?).compressed(),
        };
        let mut sizes = vec![first];
        for codec in &self.bytes_to_bytes {
            sizes.push(codec.encoded_size(sizes[sizes.len() - 1]));
        }
        Ok(sizes)
    }

    /// Undoes the bytes-to-bytes codecs, last first.
    fn decode_bytes<'a>(&self, encoded: Cow<'a, [u8]>, sizes: Vec<Size>) -> Result<Cow<'a, [u8]>> {
        sizes[sizes.len() - 1].check(self.outermost(), encoded.len())?;
        let steps = self.bytes_to_bytes.iter().zip(sizes);
        steps.rev().try_fold(encoded, |encoded, (codec, size)| codec.decode(encoded, size))
    }

    /// The shape that the codec which turns arrays into bytes sees.
    fn encoded_shape(&self, shape: &[u64]) -> Vec<u64> {
        self.array_to_array.iter().fold(shape.to_vec(), |shape, codec| codec.encode(&shape))
    }

    /// The strides of items in C order.
    fn strides(&self, shape: &[u64]) -> Result<Vec<usize>> {
        let mut strides = vec![0; shape.len()];
        let mut stride = self.data_type.item_size() as u64;
        for (axis, &edge) in shape.iter().enumerate().rev() {
            strides[axis] = to_memory(stride)?;
            stride = stride.saturating_mul(edge);
        }
        Ok(strides)
    }
}

impl ArrayToBytes {
    fn name(&self) -> &'static str {
        match self {
            Self::Bytes(_) => bytes::NAME,
            Self::Variable(codec) => codec.name(),
            Self::Sharding(_) => sharding::NAME,
        }
    }
}
