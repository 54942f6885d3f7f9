//! Array specifications before and after a codec: data type, shape, fill value, and a bound on the size.
//!
//! Each array-to-array codec turns one specification into another.

#[cfg(feature = "rare")]
use rectilinear_zarr_kernels::numeric::Numeric;

#[cfg(feature = "rare")]
use crate::error::Error;
use crate::error::Result;
use crate::metadata::DataType;
#[cfg(feature = "rare")]
use crate::metadata::{Extension, Json, Kind};
use crate::output::memory::to_memory;

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
