//! The `data_type` field of an array's metadata, or of a field of a struct.

use super::data_type::{DataType, Kind, MAX_ITEM_BYTES};
use super::{ndarray, structure, time};
use crate::error::Result;
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::parts::{Loaded, Opening, later};

impl DataType {
    /// Reads the `data_type` field.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] for a name that is not among [`DataType::names`];
    /// [`crate::Error::InvalidMetadata`] for a wrong configuration.
    pub fn parse(json: Json<'_>) -> Result<Self> {
        let extension = Extension::parse(json)?;
        let name = extension.name.as_str();
        if let Some(scalar) = DataType::scalar(name) {
            extension.settings().only_fields(&[])?;
            return Ok(scalar);
        }
        parse_other(Loaded::get()?, &extension, json)
    }
}

/// A data type that is not a number or a boolean.
#[later]
fn parse_other(_: Loaded<Opening>, extension: &Extension, json: Json<'_>) -> Result<DataType> {
    let name = extension.name.as_str();
    if let Some(bits) = raw_bits(name) {
        extension.settings().only_fields(&[])?;
        let bytes = Some(bits / 8).filter(|bytes| bits % 8 == 0 && (1..=MAX_ITEM_BYTES).contains(bytes));
        let bytes = bytes.ok_or_else(|| {
            json.expected(&format!("\"r\" and a multiple of 8 bits, up to {MAX_ITEM_BYTES} bytes"))
        })?;
        return Ok(DataType::new(name, Kind::Raw, bytes));
    }
    match name {
        "numpy.datetime64" | "numpy.timedelta64" => time::parse(extension),
        "fixed_length_utf32" => Ok(DataType::new(name, Kind::Utf32, 4 * (length_bytes(extension, 4)? / 4))),
        "null_terminated_bytes" => Ok(DataType::new(name, Kind::PaddedBytes, length_bytes(extension, 1)?)),
        "raw_bytes" => Ok(DataType::new(name, Kind::Raw, length_bytes(extension, 1)?)),
        "struct" | "structured" => structure::parse(extension),
        ndarray::NAME | ndarray::OLDER_NAME => ndarray::parse(extension),
        _ => Err(extension.unsupported("data type", &DataType::names())),
    }
}

/// The number of bits in a name such as `r16`.
fn raw_bits(name: &str) -> Option<u64> {
    let digits =
        name.strip_prefix('r').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
    digits.parse().ok()
}

/// Reads the only field of the fixed-length types: bytes of an item, a multiple of `unit`.
fn length_bytes(extension: &Extension, unit: u64) -> Result<u64> {
    let settings = extension.settings();
    settings.only_fields(&["length_bytes"])?;
    let field = settings.required("length_bytes")?;
    let bytes = field.integer(0)?;
    if bytes % unit == 0 && (unit..=MAX_ITEM_BYTES).contains(&bytes) {
        return Ok(bytes);
    }
    Err(field.expected(&format!("a multiple of {unit} from {unit} to {MAX_ITEM_BYTES}")))
}
