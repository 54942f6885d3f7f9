//! The codecs from arrays to arrays: a transpose, and the filters that change what items are.
//!
//! Invariant: each is told the stage before it, and tells the one after it: type, fill value and number of axes while
//! the metadata is read, the shape for each chunk.

#[cfg(feature = "rare")]
mod bitround;
#[cfg(feature = "rare")]
pub(crate) mod byte_orders;
#[cfg(feature = "rare")]
mod cast_value;
#[cfg(feature = "rare")]
mod cfdb_packed;
#[cfg(feature = "rare")]
pub(crate) mod filters;
#[cfg(feature = "rare")]
pub(crate) mod items;
mod numcodecs;
#[cfg(feature = "rare")]
mod reordered;
#[cfg(feature = "rare")]
mod reshape;
#[cfg(feature = "rare")]
mod rounding;
#[cfg(feature = "rare")]
mod scale_offset;
mod transpose;

#[cfg(feature = "rare")]
use self::filters::Filter;
use self::transpose::Transpose;
use super::array_spec::Stage;
use crate::error::Result;
use crate::metadata::{DataType, Extension};
use crate::output::Decoded;

/// The names of those that are no filters.
pub(super) const NAMES: &[&str] = &[transpose::NAME];

/// A codec from arrays to arrays.
#[derive(Debug, Clone)]
pub(super) enum ArrayToArray {
    #[cfg(feature = "rare")]
    Filter(Filter),
    Transpose(Transpose),
}

/// A codec from arrays to arrays, and what it encodes items to.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) codec: ArrayToArray,
    pub(super) encoded_type: DataType,
    /// Whether the codec reads the bytes of each encoded item in reverse.
    pub(super) is_turned: bool,
}

impl ArrayToArray {
    /// The codec of a metadata entry with the stage after it, or nothing where it is of another kind.
    pub(super) fn parse(extension: &Extension, stage: &Stage) -> Result<Option<(Self, Stage)>> {
        if extension.name == transpose::NAME {
            let transpose = Transpose::parse(extension, stage.rank)?;
            return Ok(Some((Self::Transpose(transpose), stage.clone())));
        }
        #[cfg(feature = "rare")]
        if let Some((filter, next)) = Filter::parse(extension, stage)? {
            return Ok(Some((Self::Filter(filter), next)));
        }
        Ok(None)
    }

    /// The shape that a chunk of this shape is encoded to.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where the codec has no place for it.
    pub(super) fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        match self {
            #[cfg(feature = "rare")]
            Self::Filter(codec) => codec.encoded_shape(shape),
            Self::Transpose(codec) => Ok(codec.encode(shape)),
        }
    }

    /// The strides that items of a chunk have along the decoded axes, where the codec leaves the items as they are.
    pub(super) fn decoded_strides(&self, encoded: &[usize]) -> Option<Vec<usize>> {
        match self {
            #[cfg(feature = "rare")]
            Self::Filter(codec) => codec.decoded_strides(encoded),
            Self::Transpose(codec) => Some(codec.decode(encoded)),
        }
    }

    /// Decodes a chunk whose shape is told as it was and as it is encoded.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where an item cannot be decoded, [`crate::Error::Unsupported`] where there is too little
    /// memory.
    #[cfg_attr(not(feature = "rare"), expect(unused_variables, reason = "a transpose only relabels strides"))]
    pub(super) fn decode<'a>(
        &self,
        chunk: Decoded<'a>,
        shape: &[u64],
        encoded_shape: &[u64],
    ) -> Result<Decoded<'a>> {
        match self {
            #[cfg(feature = "rare")]
            Self::Filter(codec) => codec.decode(chunk, shape, encoded_shape),
            Self::Transpose(codec) => Ok(Decoded { strides: codec.decode(&chunk.strides), ..chunk }),
        }
    }
}

impl Step {
    /// Decodes a chunk as [`ArrayToArray::decode`] does.
    pub(super) fn decode<'a>(
        &self,
        mut chunk: Decoded<'a>,
        shape: &[u64],
        encoded_shape: &[u64],
    ) -> Result<Decoded<'a>> {
        if self.is_turned {
            chunk.reversed = Some(self.encoded_type.item_size());
            chunk = chunk.into_little_endian();
        }
        self.codec.decode(chunk, shape, encoded_shape)
    }
}
