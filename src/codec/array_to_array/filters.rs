//! The filters: array-to-array codecs that change items, or the shape of the array.
//!
//! A filter that works item by item keeps the strides, such as those of a transpose. Other filters bring items to C
//! order first.

use super::bitround;
use super::cast_value;
use super::cast_value::CastValue;
use super::cfdb_packed;
use super::cfdb_packed::CfdbPacked;
use super::imagecodecs::differences;
use super::imagecodecs::differences::Differences;
use super::imagecodecs::floatpred;
use super::imagecodecs::floatpred::Floatpred;
use super::numcodecs::astype;
use super::numcodecs::astype::AsType;
use super::numcodecs::categorize;
use super::numcodecs::categorize::Categorize;
use super::numcodecs::delta;
use super::numcodecs::delta::Delta;
use super::numcodecs::fixedscaleoffset;
use super::numcodecs::fixedscaleoffset::FixedScaleOffset;
use super::numcodecs::log_bins;
use super::numcodecs::log_bins::LogBins;
use super::numcodecs::numcodecs_packbits;
use super::numcodecs::quantize;
use super::numcodecs::quantize::Quantize;
use super::reshape;
use super::reshape::Reshape;
use super::scale_offset;
use super::scale_offset::ScaleOffset;
use crate::codec::array_spec::Stage;
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;

/// The names: registered ones, and those of numcodecs, imagecodecs and virtual-tiff.
pub(crate) const NAMES: &[&str] = &[
    bitround::NAME,
    cast_value::NAME,
    reshape::NAME,
    scale_offset::NAME,
    cfdb_packed::NAME,
    astype::NAME,
    bitround::NUMCODECS_NAME,
    categorize::NAME,
    delta::NAME,
    fixedscaleoffset::NAME,
    log_bins::NAME,
    numcodecs_packbits::NAME,
    quantize::NAME,
    differences::TIFF_NAME,
    differences::NAME,
    floatpred::NAME,
];

/// A filter.
#[derive(Debug, Clone)]
pub(crate) enum Filter {
    AsType(AsType),
    BitRound,
    CastValue(CastValue),
    Categorize(Categorize),
    Delta(Delta),
    Differences(Differences),
    FixedScaleOffset(FixedScaleOffset),
    Floatpred(Floatpred),
    LogBins(LogBins),
    PackBits,
    Packed(CfdbPacked),
    Quantize(Quantize),
    Reshape(Reshape),
    ScaleOffset(ScaleOffset),
}

impl Filter {
    /// Parses a metadata entry to a codec and the stage after it; `None` where its name is not one of [`NAMES`].
    pub(crate) fn parse(extension: &Extension, stage: &Stage) -> Result<Option<(Self, Stage)>> {
        Ok(Some(match extension.name.as_str() {
            astype::NAME => with(Self::AsType, AsType::parse(extension, stage)?),
            bitround::NAME | bitround::NUMCODECS_NAME => {
                bitround::check(extension, stage)?;
                (Self::BitRound, stage.clone())
            }
            cast_value::NAME => with(Self::CastValue, CastValue::parse(extension, stage)?),
            categorize::NAME => with(Self::Categorize, Categorize::parse(extension, stage)?),
            delta::NAME => with(Self::Delta, Delta::parse(extension, stage)?),
            differences::NAME | differences::TIFF_NAME => {
                with(Self::Differences, Differences::parse(extension, stage)?)
            }
            fixedscaleoffset::NAME => {
                with(Self::FixedScaleOffset, FixedScaleOffset::parse(extension, stage)?)
            }
            floatpred::NAME => with(Self::Floatpred, Floatpred::parse(extension, stage)?),
            log_bins::NAME => with(Self::LogBins, LogBins::parse(extension, stage)?),
            cfdb_packed::NAME => with(Self::Packed, CfdbPacked::parse(extension, stage)?),
            numcodecs_packbits::NAME => (Self::PackBits, numcodecs_packbits::parse(extension, stage)?),
            quantize::NAME => with(Self::Quantize, Quantize::parse(extension, stage)?),
            reshape::NAME => with(Self::Reshape, Reshape::parse(extension, stage)?),
            scale_offset::NAME => with(Self::ScaleOffset, ScaleOffset::parse(extension, stage)?),
            _ => return Ok(None),
        }))
    }

    /// Shape of the encoded chunk for a decoded chunk of this shape.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] where the codec does not accept the shape.
    pub(crate) fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        match self {
            Self::Differences(codec) => codec.encoded_shape(shape),
            Self::Floatpred(codec) => codec.encoded_shape(shape),
            Self::PackBits => Ok(numcodecs_packbits::encoded_shape(shape)),
            Self::Reshape(codec) => codec.encoded_shape(shape),
            _ => Ok(shape.to_vec()),
        }
    }

    /// Strides in bytes along the decoded axes; `None` where the codec changes items.
    pub(crate) fn decoded_strides(&self, encoded: &[usize]) -> Option<Vec<usize>> {
        match self {
            Self::BitRound => Some(encoded.to_vec()),
            _ => None,
        }
    }

    /// Decodes a chunk; `shape` is its decoded shape.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where an item cannot be decoded, [`crate::Error::Unsupported`] where memory is too
    /// small.
    pub(crate) fn decode<'a>(
        &self,
        chunk: Decoded<'a>,
        shape: &[u64],
        encoded_shape: &[u64],
    ) -> Result<Decoded<'a>> {
        match self {
            Self::AsType(codec) => codec.decode(chunk),
            Self::BitRound => Ok(chunk),
            Self::CastValue(codec) => codec.decode(chunk),
            Self::Categorize(codec) => codec.decode(chunk),
            Self::Delta(codec) => codec.decode(chunk, encoded_shape),
            Self::Differences(codec) => codec.decode(chunk, encoded_shape),
            Self::FixedScaleOffset(codec) => codec.decode(chunk),
            Self::Floatpred(codec) => codec.decode(chunk, encoded_shape),
            Self::LogBins(codec) => codec.decode(chunk),
            Self::PackBits => numcodecs_packbits::decode(chunk, shape, encoded_shape),
            Self::Packed(codec) => codec.decode(chunk),
            Self::Quantize(codec) => codec.decode(chunk),
            Self::Reshape(codec) => codec.decode(chunk, shape, encoded_shape),
            Self::ScaleOffset(codec) => codec.decode(chunk),
        }
    }
}

fn with<T>(codec: impl Fn(T) -> Filter, (parsed, next): (T, Stage)) -> (Filter, Stage) {
    (codec(parsed), next)
}
