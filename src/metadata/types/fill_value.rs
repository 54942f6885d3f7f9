//! Fill values: from JSON to the bytes of one item, little endian.
//!
//! Floats are numbers, `"NaN"`, `"Infinity"`, `"-Infinity"`, or the exact bits in hexadecimal, most
//! significant digit first. Bytes are base64 or a list of integers. Variable-length types give their
//! content instead of an item.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html>

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rectilinear_zarr_kernels::half::nearest_half;

use super::data_type::{DataType, Kind};
use super::ndarray;
use super::spellings::{Meant, meant};
use crate::error::{Error, Gather, Result};
use crate::metadata::json::bare_number::bare_number;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;
use crate::parts::{Loaded, Opening, later};

/// The longest content of an item of variable length: 1 MiB, as of other items ([`super::data_type::MAX_ITEM_BYTES`]).
///
/// The reason: each result, and each worker's description of the codecs, has the fill value once.
const MAX_CONTENT_BYTES: usize = 1 << 20;

/// Reads the fill value of an array as [`parse`] does. One that is no value of the data type is noted in `fault`, and has
/// no bytes: only reads that need it are refused.
///
/// # Errors
/// [`Error::PartMissing`] alone.
pub(crate) fn or_fault(
    json: Result<Json<'_>>,
    fault: &mut Option<Error>,
    read: impl FnOnce(Json<'_>) -> Result<Option<Vec<u8>>>,
) -> Result<Option<Vec<u8>>> {
    let found = json.and_then(|json| match read(json)? {
        Some(item) if item.len() > MAX_CONTENT_BYTES => {
            let reason =
                format!("the fill value has {} bytes; at most {MAX_CONTENT_BYTES} are read", item.len());
            Err(json.invalid(reason))
        }
        item => Ok(item),
    });
    match found {
        Err(Error::PartMissing(_)) | Ok(_) => found,
        Err(error) => {
            *fault = Some(error);
            Ok(Some(Vec::new()))
        }
    }
}

/// Reads a fill value as the bytes of one item.
///
/// # Errors
/// [`Error::InvalidMetadata`] if the JSON is no fill value of the data type.
pub fn parse(json: Json<'_>, data_type: &DataType) -> Result<Vec<u8>> {
    let size = data_type.item_size();
    let item = match data_type.kind() {
        // Some writers write a number.
        Kind::Bool => match json.value() {
            Value::Bool(value) => Some(vec![u8::from(*value)]),
            number => number.as_u64().filter(|bit| *bit < 2).map(|bit| vec![u8::from(bit == 1)]),
        },
        Kind::Int => integer(json.value(), size, signed(8 * size)),
        Kind::UInt => integer(json.value(), size, (0, (1 << (8 * size)) - 1)),
        Kind::Float => float(json.value(), size, |value| Some(ieee(value, size))),
        _ => other(Loaded::get()?, json, data_type)?,
    };
    item.ok_or_else(|| json.expected(&format!("a fill value of {}", data_type.name())))
}

/// Reads the fill value of an array as [`parse`] does, also in the spellings of others.
///
/// # Errors
/// As [`parse`].
pub(crate) fn parse_spelled(json: Json<'_>, data_type: &DataType) -> Result<Vec<u8>> {
    let error = match parse(json, data_type) {
        Err(error) if !matches!(error, Error::PartMissing(_)) => error,
        found => return found,
    };
    match meant(Loaded::get()?, json.value(), data_type) {
        Some(Meant::Item(item)) => Ok(item),
        // The same again is refused, which ends the recursion: each other meaning is nearer to the specifications.
        Some(Meant::Value(value)) if value != *json.value() => {
            parse_spelled(Json::at(&value, &json.pointer()), data_type)
        }
        Some(Meant::Value(_)) | None => Err(error),
    }
}

/// The bytes of a value that is no ordinary number; `None` where it is not of the type.
#[later]
fn other(_: Loaded<Opening>, json: Json<'_>, data_type: &DataType) -> Result<Option<Vec<u8>>> {
    let size = data_type.item_size();
    Ok(match data_type.kind() {
        Kind::Struct(fields) if json.value().is_object() => {
            json.only_fields(&fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>())?;
            let mut item = Vec::with_capacity(size);
            for field in fields {
                item.extend(parse(json.required(&field.name)?, &field.data_type)?);
            }
            Some(item)
        }
        Kind::Complex(part) => match json.value() {
            Value::Array(parts) if parts.len() == 2 => {
                let parts = json.items()?.map(|item| parse(item, part)).gathered()?;
                Some(parts.concat())
            }
            _ => None,
        },
        Kind::SmallInt { bits, signed: true } => integer(json.value(), 1, signed(*bits as usize)),
        Kind::SmallInt { bits, signed: false } => integer(json.value(), 1, (0, (1 << bits) - 1)),
        Kind::Time { .. } if json.value() == "NaT" => Some(i64::MIN.to_le_bytes().to_vec()),
        Kind::Time { .. } => integer(json.value(), 8, signed(64)),
        Kind::MiniFloat(format) => float(json.value(), size, |value| format.nearest(value)),
        Kind::Raw | Kind::Struct(_) | Kind::Subarray { .. } => {
            bytes(json.value()).filter(|bytes| bytes.len() == size)
        }
        Kind::PaddedBytes => bytes(json.value()).map(|bytes| padded(bytes, size)),
        Kind::Utf32 => json.value().as_str().map(|text| {
            padded(text.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect(), size)
        }),
        Kind::Text if bare_number(json.value()).is_some() => None,
        Kind::Text => json.value().as_str().map(|text| text.as_bytes().to_vec()),
        Kind::VariableBytes => bytes(json.value()),
        Kind::Object => Some(json.value().to_string().into_bytes()),
        Kind::Ragged(part) if data_type.name() == ndarray::NAME => {
            bytes(json.value()).filter(|bytes| bytes.len().is_multiple_of(part.item_size()))
        }
        // Zarr v2's lists have no JSON form: null, zero and empty values give an empty list.
        Kind::Ragged(_) => is_nothing(json.value()).then(Vec::new),
        // Numbers are read before.
        Kind::Bool | Kind::Int | Kind::UInt | Kind::Float => None,
    })
}

fn signed(bits: usize) -> (i128, i128) {
    (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
}

/// The bytes of an integer within a range; `0.0` is an integer, as in zarr-python.
fn integer(value: &Value, size: usize, (least, most): (i128, i128)) -> Option<Vec<u8>> {
    let value = if let Some(value) = value.as_i64() {
        value.into()
    } else if let Some(value) = value.as_u64() {
        value.into()
    } else {
        let value = value.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 1.9e19)?;
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^64, both checked")]
        let value = value as i128;
        value
    };
    (least..=most).contains(&value).then(|| value.to_le_bytes()[..size].to_vec())
}

fn float(value: &Value, size: usize, item: impl Fn(f64) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    if let Some(number) = bare_number(value) {
        return item(number);
    }
    match value {
        Value::Number(number) => item(number.as_f64()),
        Value::String(text) => match text.as_str() {
            "NaN" => item(f64::NAN),
            "Infinity" => item(f64::INFINITY),
            "-Infinity" => item(f64::NEG_INFINITY),
            text => bits(text, size),
        },
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to the stored type is intended")]
fn ieee(value: f64, size: usize) -> Vec<u8> {
    match size {
        2 => nearest_half(value).to_le_bytes().to_vec(),
        4 => (value as f32).to_le_bytes().to_vec(),
        _ => value.to_le_bytes().to_vec(),
    }
}

/// The bytes of hexadecimal bits, `"0x7fc00000"`, with exactly the digits of the type.
fn bits(text: &str, size: usize) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?;
    if digits.len() != 2 * size || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u64::from_str_radix(digits, 16).ok()?;
    Some(value.to_le_bytes()[..size].to_vec())
}

/// Whether a value is `null`, zero or empty.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(number) => number.as_f64() == 0.0,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// The bytes of base64 text, or of a list of integers from 0 to 255.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => STANDARD.decode(text).ok(),
        Value::Array(items) => {
            items.iter().map(|item| item.as_u64().and_then(|byte| u8::try_from(byte).ok())).gathered()
        }
        _ => None,
    }
}

/// Pads bytes with zeros to an item's size; longer ones are cut, as by numpy.
fn padded(mut bytes: Vec<u8>, size: usize) -> Vec<u8> {
    bytes.resize(size, 0);
    bytes
}
