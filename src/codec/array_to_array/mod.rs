//! The array-to-array codecs: `transpose`, and the filters that change items.
//!
//! Each codec derives the stage after it from the stage before it: data type, fill value and number of axes when the
//! metadata are parsed, and the shape for each chunk shape.

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
mod imagecodecs;
#[cfg(feature = "rare")]
pub(crate) mod items;
mod numcodecs;
#[cfg(feature = "rare")]
mod real;
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
#[cfg(feature = "rare")]
pub(super) use self::imagecodecs::floatpred;
use self::transpose::Transpose;
use super::array_spec::Stage;
use crate::error::Result;
use crate::metadata::{DataType, Extension};
use crate::output::Decoded;

/// The names of the array-to-array codecs that are not filters.
pub(super) const NAMES: &[&str] = &[transpose::NAME];

/// An array-to-array codec.
#[derive(Debug, Clone)]
pub(super) enum ArrayToArray {
    #[cfg(feature = "rare")]
    Filter(Filter),
    Transpose(Transpose),
}

/// An array-to-array codec with the data type that it encodes to.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) codec: ArrayToArray,
    pub(super) encoded_type: DataType,
    /// Whether the codec reads the bytes of each encoded item in reverse.
    pub(super) is_turned: bool,
}

impl ArrayToArray {
    /// Parses a metadata entry to a codec and the stage after it; `None` where it is a codec of another kind.
    pub(super) fn parse(extension: &Extension, stage: &Stage) -> Result<Option<(Self, Stage)>> {
        if extension.name == transpose::NAME {
            let transpose = Transpose::parse(extension, stage.rank)?;
            return Ok(Some((Self::Transpose(transpose), stage.clone())));
        }
        #[cfg(feature = "rare")]
        if let Some((filter, next)) = filtered(extension, stage)? {
            return Ok(Some((Self::Filter(filter), next)));
        }
        Ok(None)
    }

    /// Shape of the encoded chunk for a decoded chunk of this shape.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where the codec does not accept the shape.
    pub(super) fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        match self {
            #[cfg(feature = "rare")]
            Self::Filter(codec) => codec.encoded_shape(shape),
            Self::Transpose(codec) => Ok(codec.encode(shape)),
        }
    }

    /// Strides in bytes along the decoded axes; `None` where the codec changes items.
    pub(super) fn decoded_strides(&self, encoded: &[usize]) -> Option<Vec<usize>> {
        match self {
            #[cfg(feature = "rare")]
            Self::Filter(codec) => codec.decoded_strides(encoded),
            Self::Transpose(codec) => Some(codec.decode(encoded)),
        }
    }

    /// Decodes a chunk; `shape` is its decoded shape.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where an item cannot be decoded, [`crate::Error::Unsupported`] where memory is too
    /// small.
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

/// A filter and the stage after it, which has no fill value where the stage before it has none.
#[cfg(feature = "rare")]
fn filtered(extension: &Extension, stage: &Stage) -> Result<Option<(Filter, Stage)>> {
    if stage.data_type.is_variable() || stage.fill_value.len() == stage.data_type.item_size() {
        return Filter::parse(extension, stage);
    }
    let zeros = Stage { fill_value: vec![0; stage.data_type.item_size()], ..stage.clone() };
    let found = Filter::parse(extension, &zeros)?;
    Ok(found.map(|(filter, next)| (filter, Stage { fill_value: Vec::new(), ..next })))
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
            chunk.reversed = self.encoded_type.numbers().first().map(|number| number.size);
            chunk = chunk.into_little_endian();
        }
        self.codec.decode(chunk, shape, encoded_shape)
    }
}
