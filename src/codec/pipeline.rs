//! The codecs of an array in order: resolved down before a byte is asked for, decoded up.
//!
//! Invariant: what `decode` returns has exactly the items of the chunk's shape, and every buffer on
//! the way was bounded before it was allocated.

use std::borrow::Cow;

use super::bytes_to_bytes::BytesToBytes;
use super::memory::{Size, to_memory};
use super::{Codec, bytes, transpose};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension};

/// The codec pipeline of an array.
#[derive(Debug, Clone)]
pub struct Pipeline {
    item_size: usize,
    array_to_array: Vec<transpose::Transpose>,
    array_to_bytes: bytes::Bytes,
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
}

impl Decoded<'_> {
    /// The same, free of what it was decoded from; copies only what is borrowed.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded { bytes: Cow::Owned(self.bytes.into_owned()), strides: self.strides }
    }
}

impl Pipeline {
    /// The pipeline that an array's `codecs` field describes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] names a codec that this build lacks; [`Error::InvalidMetadata`] says
    /// what is wrong with a configuration, or with the order of the codecs.
    pub fn parse(codecs: &[Extension], data_type: DataType, rank: usize) -> Result<Self> {
        let mut array_to_array = Vec::new();
        let mut array_to_bytes = None;
        let mut bytes_to_bytes = Vec::new();
        for extension in codecs {
            let misplaced = || {
                let reason = format!("the codec {:?} stands on the wrong side of \"bytes\"", extension.name);
                Error::metadata(extension.pointer.as_str(), reason)
            };
            match Codec::parse(extension, data_type, rank)? {
                None => {}
                Some(Codec::ArrayToArray(codec)) if array_to_bytes.is_none() => array_to_array.push(codec),
                Some(Codec::ArrayToBytes(codec)) if array_to_bytes.is_none() => array_to_bytes = Some(codec),
                Some(Codec::BytesToBytes(codec)) if array_to_bytes.is_some() => bytes_to_bytes.push(codec),
                Some(_) => return Err(misplaced()),
            }
        }
        let Some(array_to_bytes) = array_to_bytes else {
            return Err(Error::metadata(
                "/codecs",
                "no codec turns the array into bytes; expected \"bytes\"",
            ));
        };
        Ok(Self { item_size: data_type.item_size(), array_to_array, array_to_bytes, bytes_to_bytes })
    }

    /// Bytes of a decoded chunk of this shape; saturates at `u64::MAX`.
    #[must_use]
    pub fn decoded_size(&self, shape: &[u64]) -> u64 {
        shape.iter().fold(self.item_size as u64, |size, &edge| size.saturating_mul(edge))
    }

    /// Decodes a stored chunk of this encoded shape.
    ///
    /// # Errors
    /// [`Error::Codec`] where a checksum or a length differs or a codec fails, [`Error::Unsupported`]
    /// where there is too little memory.
    pub fn decode<'a>(&self, encoded: Cow<'a, [u8]>, shape: &[u64]) -> Result<Decoded<'a>> {
        let size = to_memory(self.decoded_size(shape))?;
        let bytes = self.decode_bytes(encoded, size)?;
        Ok(Decoded {
            bytes: self.array_to_bytes.decode(bytes, self.item_size),
            strides: self.strides(shape)?,
        })
    }

    /// Undoes the bytes-to-bytes codecs, last first.
    fn decode_bytes<'a>(&self, encoded: Cow<'a, [u8]>, decoded_size: usize) -> Result<Cow<'a, [u8]>> {
        let mut sizes = vec![Size::Exactly(decoded_size)];
        for codec in &self.bytes_to_bytes {
            sizes.push(codec.encoded_size(sizes[sizes.len() - 1]));
        }
        let outermost = self.bytes_to_bytes.last().map_or(bytes::NAME, BytesToBytes::name);
        sizes[sizes.len() - 1].check(outermost, encoded.len())?;
        let steps = self.bytes_to_bytes.iter().zip(sizes);
        steps.rev().try_fold(encoded, |encoded, (codec, size)| codec.decode(encoded, size))
    }

    /// The strides of a decoded chunk, seen through the transposes.
    fn strides(&self, shape: &[u64]) -> Result<Vec<usize>> {
        let encoded_shape =
            self.array_to_array.iter().fold(shape.to_vec(), |shape, codec| codec.encode(&shape));
        let mut strides = vec![0; shape.len()];
        let mut stride = self.item_size as u64;
        for (axis, edge) in encoded_shape.into_iter().enumerate().rev() {
            strides[axis] = to_memory(stride)?;
            stride = stride.saturating_mul(edge);
        }
        Ok(self.array_to_array.iter().rev().fold(strides, |strides, codec| codec.decode(&strides)))
    }
}
