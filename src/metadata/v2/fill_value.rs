//! Fill values of Zarr v2: the forms of v3, and those of older writers.
//!
//! The additional forms are null, and base64 of a stored item for structs.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#fill-value-encoding>

use super::numpy::NumpyType;
use crate::error::Result;
use crate::metadata::json::document::Json;
use crate::metadata::types::data_type::{DataType, Kind};
use crate::metadata::types::fill_value;

/// Reads a fill value as the bytes of one item; `None` for null.
pub(super) fn parse(json: Json<'_>, stored: &NumpyType) -> Result<Option<Vec<u8>>> {
    if json.value().is_null() {
        return Ok(None);
    }
    let mut item = fill_value::parse_spelled(json, &stored.data_type)?;
    if matches!(stored.data_type.kind(), Kind::Struct(_)) && json.value().is_string() {
        for number in stored.data_type.numbers().iter().filter(|number| number.big_endian) {
            item[number.offset..number.offset + number.size].reverse();
        }
    }
    Ok(Some(item))
}

/// Bytes of an item that is not stored if the fill value is null: zeros, not-a-time, or the empty value.
pub(super) fn unset(data_type: &DataType) -> Vec<u8> {
    match data_type.kind() {
        Kind::Time { .. } => i64::MIN.to_le_bytes().to_vec(),
        Kind::Object => b"null".to_vec(),
        _ if data_type.is_variable() => Vec::new(),
        _ => vec![0; data_type.item_size()],
    }
}
