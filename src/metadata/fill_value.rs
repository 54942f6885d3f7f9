//! A fill value: from its JSON spelling to the bytes of one item, little endian.
//!
//! Floats are numbers, `"NaN"`, `"Infinity"`, `"-Infinity"`, or the exact bits in hexadecimal, most
//! significant digit first. Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html>

use half::f16;
use serde_json::Value;

use super::data_type::DataType;
use super::document::Json;
use crate::error::{Error, Result};

/// The bytes of one item that holds the fill value.
pub(super) fn parse(json: Json<'_>, data_type: DataType) -> Result<Vec<u8>> {
    let mismatch = || json.expected(&format!("a fill value of {}", data_type.name()));
    Ok(match data_type {
        DataType::Bool => vec![u8::from(json.value().as_bool().ok_or_else(mismatch)?)],
        DataType::Float16 => float(json, data_type, |value| f16::from_f64(value).to_le_bytes().to_vec())?,
        #[expect(clippy::cast_possible_truncation, reason = "rounding to the stored type is what is meant")]
        DataType::Float32 => float(json, data_type, |value| (value as f32).to_le_bytes().to_vec())?,
        DataType::Float64 => float(json, data_type, |value| value.to_le_bytes().to_vec())?,
        _ => {
            let (least, most) = integer_range(data_type);
            let value = integer(json.value()).filter(|value| (least..=most).contains(value));
            value.ok_or_else(mismatch)?.to_le_bytes()[..data_type.item_size()].to_vec()
        }
    })
}

/// The least and the greatest value of an integer type.
fn integer_range(data_type: DataType) -> (i128, i128) {
    let bits = 8 * data_type.item_size();
    match data_type {
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => (0, (1 << bits) - 1),
        _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
    }
}

/// An integer, exactly; `0.0` counts, as it does for zarr-python.
fn integer(value: &Value) -> Option<i128> {
    if let Some(value) = value.as_i64() {
        return Some(value.into());
    }
    if let Some(value) = value.as_u64() {
        return Some(value.into());
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^64, both checked")]
    value.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 1.9e19).map(|value| value as i128)
}

fn float(json: Json<'_>, data_type: DataType, bytes: impl Fn(f64) -> Vec<u8>) -> Result<Vec<u8>> {
    match json.value() {
        Value::Number(number) => number.as_f64().map(bytes),
        Value::String(text) => match text.as_str() {
            "NaN" => Some(bytes(f64::NAN)),
            "Infinity" => Some(bytes(f64::INFINITY)),
            "-Infinity" => Some(bytes(f64::NEG_INFINITY)),
            text => bits(text, data_type),
        },
        _ => None,
    }
    .ok_or_else(|| -> Error { json.expected(&format!("a fill value of {}", data_type.name())) })
}

/// `"0x7fc00000"`: as many digits as the type has, no more and no fewer.
fn bits(text: &str, data_type: DataType) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?;
    let size = data_type.item_size();
    if digits.len() != 2 * size || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u64::from_str_radix(digits, 16).ok()?;
    Some(value.to_le_bytes()[..size].to_vec())
}
