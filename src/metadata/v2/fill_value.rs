//! Fill values of Zarr v2: the forms of v3, and those of older writers.
//!
//! The additional forms are null, numbers in quotes, 0 and 1 for bool, numbers for text, and base64 of a stored item
//! for structs. All are read as in zarr-python 3.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#fill-value-encoding>

use super::numpy::NumpyType;
use crate::error::Result;
use crate::metadata::json::bare_number::bare_number;
use crate::metadata::json::document::Json;
use crate::metadata::json::number::decimal::shortest;
use crate::metadata::json::number::text::float_text;
use crate::metadata::json::value::Value;
use crate::metadata::types::data_type::{DataType, Kind};
use crate::metadata::types::fill_value;

/// Reads a fill value as the bytes of one item; `None` for null.
pub(super) fn parse(json: Json<'_>, stored: &NumpyType) -> Result<Option<Vec<u8>>> {
    let value = json.value();
    if value.is_null() {
        return Ok(None);
    }
    let said = match (stored.data_type.kind(), value) {
        (Kind::Int | Kind::UInt, Value::String(text)) => integer(text),
        (Kind::Float, Value::String(text)) => float(text),
        (Kind::Text, value) => text(value).map(Value::from),
        _ => None,
    };
    let pointer = json.pointer();
    let json = said.as_ref().map_or(json, |said| Json::at(said, &pointer));
    let mut item = fill_value::parse(json, &stored.data_type)?;
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

/// Python's text of a number or a boolean; `None` for very large and very small floats, which Python writes
/// differently.
fn text(value: &Value) -> Option<String> {
    if let Some(number) = bare_number(value) {
        return Some(float_text(number).to_ascii_lowercase());
    }
    match value {
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::Number(number) => {
            if !number.is_f64() {
                return Some(number.text());
            }
            let float = number.as_f64();
            (1e-4..1e16).contains(&float.abs()).then(|| shortest(float))
        }
        _ => None,
    }
}

/// An integer in quotes.
fn integer(text: &str) -> Option<Value> {
    let text = text.trim();
    text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok()
}

/// A float in quotes; `None` for any other text, such as `"NaN"`, which v3 has too.
///
/// Unlike JSON, Python allows a missing digit on one side of the point, a plus, and leading zeros. The text is
/// rewritten as JSON for the JSON parser, because Rust's float parser would add its tables to the module.
fn float(text: &str) -> Option<Value> {
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if !rest.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let (digits, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = match whole.trim_start_matches('0') {
        "" if whole.len() + fraction.len() > 0 => "0",
        whole => whole,
    };
    Value::parse(format!("{sign}{whole}.{fraction}0e{exponent}").as_bytes()).ok()
}
