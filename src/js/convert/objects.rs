//! Items of object arrays as JavaScript values. The engine parses the JSON text of many items in one call.

use js_sys::{Array, JSON};
use wasm_bindgen::{JsCast, JsValue};

use super::value;
use crate::metadata::Value;

/// Bytes of text that are parsed in one call: 8 MiB. Engines limit strings to 512 MiB.
const PIECE: usize = 8 << 20;

/// Start of the strings that codecs write for `NaN` and infinities, which JSON lacks.
const MARK: &[u8] = br#""\u0000"#;

/// Digits of 2^53: floats hold all integers of fewer digits.
const LONG: usize = 16;

/// Parses a list of items, each of which is JSON text.
pub(crate) fn objects<'a>(items: impl Iterator<Item = &'a [u8]>) -> Array {
    let mut list = Array::new();
    let mut piece = String::from("[");
    for item in items {
        if is_special(item) {
            list = list.concat(&parsed(&mut piece));
            list.push(&object(item));
            continue;
        }
        if piece.len() > 1 {
            piece.push(',');
        }
        piece.push_str(&String::from_utf8_lossy(item));
        if piece.len() > PIECE {
            list = list.concat(&parsed(&mut piece));
        }
    }
    list.concat(&parsed(&mut piece))
}

/// Parses one item.
pub(crate) fn object(item: &[u8]) -> JsValue {
    if is_special(item) {
        return Value::parse(item).map_or(JsValue::NULL, |value| value::json(&value));
    }
    JSON::parse(&String::from_utf8_lossy(item)).unwrap_or(JsValue::NULL)
}

/// Parses the items that were collected, and clears the text.
fn parsed(piece: &mut String) -> Array {
    piece.push(']');
    // Cannot fail: the JSON text was written by the codecs or the metadata parser.
    let items = JSON::parse(piece).ok().and_then(|items| items.dyn_into().ok()).unwrap_or_default();
    piece.clear();
    piece.push('[');
    items
}

/// Whether an item may have a value that `JSON.parse` does not give: a marked string, or an integer that floats round.
/// Some text with digits counts as such an integer, which is slower and gives the same.
fn is_special(item: &[u8]) -> bool {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let is_whole = |number: &[u8]| number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
    item.split(|byte| !is_part(byte)).any(|number| number.len() >= LONG && is_whole(number))
        || item.windows(MARK.len()).any(|window| window == MARK)
}
