//! The arrays that a codec is given and gives: their type, shape and fill value, and how large they may become.
//!
//! The specification calls this an array's "specification", which each codec from arrays to arrays changes.

#[cfg(feature = "rare")]
use rectilinear_zarr_kernels::numeric::Numeric;

#[cfg(feature = "rare")]
use super::array_to_array::items::NumericItems;
#[cfg(feature = "rare")]
use crate::error::{Error, Result};
use crate::metadata::DataType;
#[cfg(feature = "rare")]
use crate::metadata::{Extension, Json, Kind};

/// The most content that a chunk of items of any length may decode to: 128 MiB.
///
/// The reason: nothing in the metadata tells its size. A frame that tells more is refused before memory is taken. Where
/// none tells, memory grows by steps up to this bound, and the last step holds half as much beside it: 192 MiB in all.
pub(super) const MAX_CONTENT_BYTES: usize = 128 << 20;

/// The arrays before a codec, or after it, as the metadata alone tell them.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) data_type: DataType,
    /// One item; the content where items have any length.
    pub(super) fill_value: Vec<u8>,
    pub(super) rank: usize,
}

/// A chunk before a codec from arrays to arrays, or after the last.
pub(super) struct ArraySpec<'a> {
    pub(super) data_type: &'a DataType,
    pub(super) shape: &'a [u64],
}

impl ArraySpec<'_> {
    /// Bytes of its items; saturates at `u64::MAX`.
    pub(super) fn size(&self) -> u64 {
        let item_size = self.data_type.item_size() as u64;
        self.shape.iter().fold(item_size, |size, &edge| size.saturating_mul(edge))
    }
}

#[cfg(feature = "rare")]
impl Stage {
    /// The number that items are.
    pub(super) fn number(&self, extension: &Extension) -> Result<Numeric> {
        number_of(&self.data_type, extension)
    }

    /// That items can be seen as numbers of a type that a field tells: as what they are, or as integers of their size.
    pub(super) fn check_view(&self, number: Numeric, field: Json<'_>) -> Result<()> {
        let is_own = self.data_type.numeric() == Some(number);
        let kind = self.data_type.kind();
        let is_whole = matches!(kind, Kind::Bool | Kind::Int | Kind::UInt | Kind::Time { .. });
        let same_bits = number.size() == self.data_type.item_size() && is_whole && !number.is_float();
        if is_own || same_bits {
            return Ok(());
        }
        Err(field
            .expected(&format!("the type of the items that the codec is given, {}", self.data_type.name())))
    }

    /// The stage after a codec that makes numbers of another type of each item; the fill value becomes one of them.
    pub(super) fn cast(&self, data_type: DataType, from: Numeric, to: Numeric) -> Result<Self> {
        let fill_value = from.cast(self.fill_value.as_slice().into(), to)?.into_owned();
        Ok(Self { data_type, fill_value, rank: self.rank })
    }
}

/// The number that items of a data type are to a codec.
#[cfg(feature = "rare")]
pub(super) fn number_of(data_type: &DataType, extension: &Extension) -> Result<Numeric> {
    data_type.numeric().ok_or_else(|| match data_type.kind() {
        Kind::MiniFloat(_) => Error::Unsupported {
            feature: format!("codec {:?} of {}", extension.name, data_type.name()),
            reason: format!("met at {}; of floats, it takes float16, float32 and float64", extension.pointer),
        },
        _ => {
            let reason = format!("{:?} does not take {}", extension.name, data_type.name());
            Error::metadata(extension.pointer.as_str(), reason)
        }
    })
}
