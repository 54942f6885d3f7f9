//! The data type `ndarray`: each item is an array of numbers, and the first axis of items may have any length.
//!
//! The codec `vlen-ndarray` encodes items whose first axis is `null`, and `bytes` those of one shape. Stores of August 2026
//! have the older name `vlen-ndarray`, whose `inner_shape` leaves out that axis.
//! Spec: <https://github.com/zarr-developers/zarr-extensions/pull/71>

use super::data_type::{DataType, Kind, REFERENCE_BYTES};
use crate::error::{Error, Gather, Result};
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;

/// Name of the data type.
pub(crate) const NAME: &str = "ndarray";

/// Older name of the data type, with the field `inner_shape`.
pub(super) const OLDER_NAME: &str = "vlen-ndarray";

/// The types that elements of items may have.
const ELEMENTS: [&str; 14] = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
];

/// Reads the configuration of an `ndarray`.
pub(super) fn parse(extension: &Extension) -> Result<DataType> {
    let settings = extension.settings();
    let is_older = extension.name == OLDER_NAME;
    let name = if is_older { "inner_shape" } else { "shape" };
    settings.only_fields(&["dtype", name])?;
    let dtype = settings.required("dtype")?;
    let known = ELEMENTS.contains(&dtype.string()?).then(|| DataType::scalar(dtype.string().ok()?)).flatten();
    let element = known.ok_or_else(|| dtype.expected(&format!("one of {}", ELEMENTS.join(", "))))?;
    let shape = settings.required(name)?;
    let lengths: Vec<Option<u64>> = shape.items()?.map(length).gathered()?;
    let (is_ragged, lengths) = match lengths.split_first() {
        _ if is_older => (true, lengths.as_slice()),
        None => return Err(shape.expected("at least one length")),
        Some((None, rest)) => (true, rest),
        Some((Some(_), _)) => (false, lengths.as_slice()),
    };
    let Some(lengths) = lengths.iter().copied().collect::<Option<Vec<u64>>>() else {
        return Err(Error::Unsupported {
            feature: format!("the data type {NAME} of shape {}", shape.value()),
            reason: format!(
                "found at {}; no codec is registered for it: only the first length may be null",
                shape.pointer()
            ),
        });
    };
    let cell = if lengths.is_empty() { element } else { DataType::of_shape(element, lengths, shape)? };
    let size = if is_ragged { REFERENCE_BYTES } else { cell.item_size() } as u64;
    let kind = if is_ragged { Kind::Ragged(Box::new(cell)) } else { cell.kind().clone() };
    Ok(DataType::new(NAME, kind, size))
}

/// A length of the shape; `None` for null.
fn length(json: Json<'_>) -> Result<Option<u64>> {
    match json.value() {
        Value::Null => Ok(None),
        _ => json.integer(1).map(Some),
    }
}

impl DataType {
    /// Length of each axis of an item that is an array, `None` where it differs between items; `None` in all for items that
    /// are none.
    #[must_use]
    pub fn item_shape(&self) -> Option<Vec<Option<u64>>> {
        match self.kind() {
            Kind::Subarray { shape, .. } => Some(shape.iter().copied().map(Some).collect()),
            Kind::Ragged(part) => {
                Some([None].into_iter().chain(part.item_shape().unwrap_or_default()).collect())
            }
            _ => None,
        }
    }

    /// The type of a single element of an item that is an array.
    pub(super) fn innermost(&self) -> &Self {
        match self.kind() {
            Kind::Ragged(part) => part.element(),
            _ => self.element(),
        }
    }
}
