//! Spellings of fill values that no specification has, and that zarr-python, netCDF-C and others write or read.
//!
//! A list of one stands for its item, text for the number that Python reads in it, a truth for 0 or 1, and a number for
//! its text. An integer beyond the type keeps its low bits, as in numpy before version 2 and in JavaScript's typed arrays.

use super::data_type::{DataType, Kind};
use crate::metadata::json::bare_number::bare_number;
use crate::metadata::json::number::decimal::shortest;
use crate::metadata::json::number::text::float_text;
use crate::metadata::json::value::Value;
use crate::parts::{Loaded, Opening, later};

/// A fill value as it is meant: a value in the spelling of the specifications, or the bytes of an item.
pub(super) enum Meant {
    Value(Value),
    Item(Vec<u8>),
}

/// Finds the meaning of a fill value in another spelling; `None` where no reader gives it one.
#[later]
pub(super) fn meant(_: Loaded<Opening>, value: &Value, data_type: &DataType) -> Option<Meant> {
    let kind = data_type.kind();
    let is_integer = matches!(kind, Kind::Int | Kind::UInt);
    let is_float = matches!(kind, Kind::Float | Kind::MiniFloat(_));
    let is_number =
        is_integer || is_float || matches!(kind, Kind::Bool | Kind::SmallInt { .. } | Kind::Time { .. });
    match value {
        // Lists in the list are refused, so that nesting cannot overflow the stack.
        Value::Array(items) if is_number && items.len() == 1 && !items[0].is_array() => {
            Some(Meant::Value(items[0].clone()))
        }
        Value::Bool(truth) if is_integer || is_float => Some(Meant::Value(u64::from(*truth).into())),
        Value::String(text) if is_integer => integer(text).map(Meant::Value),
        Value::String(text) if is_float => float(text).map(Meant::Value),
        value if *kind == Kind::Text => text(value).map(|text| Meant::Value(text.into())),
        Value::Number(number) if *kind == Kind::Bool => Some(Meant::Value((number.as_f64() != 0.0).into())),
        Value::Number(number) if is_integer => {
            let low = |number: i64| number.to_le_bytes()[..data_type.item_size()].to_vec();
            number.as_i64().map(low).map(Meant::Item)
        }
        // zarr-python 2 writes 0 for objects.
        Value::Number(number) if *kind == Kind::VariableBytes && number.as_f64() == 0.0 => {
            Some(Meant::Item(Vec::new()))
        }
        _ => None,
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
            (float == 0.0 || (1e-4..1e16).contains(&float.abs())).then(|| shortest(float))
        }
        _ => None,
    }
}

/// An integer in quotes.
fn integer(text: &str) -> Option<Value> {
    let text = text.trim();
    text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok()
}

/// A float in quotes, as Python reads it: in any case, with a plus, leading zeros, or no digit on one side of the point.
///
/// It is rewritten as JSON for the JSON parser, because Rust's float parser would add its tables to the module.
fn float(text: &str) -> Option<Value> {
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    match rest.to_ascii_lowercase().as_str() {
        "nan" => return Some("NaN".into()),
        "inf" | "infinity" => return Some(format!("{sign}Infinity").into()),
        _ => {}
    }
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
