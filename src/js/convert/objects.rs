//! Objects as JavaScript's own values: JSON text of many items is parsed at once, by the engine.

use js_sys::{Array, JSON};
use wasm_bindgen::{JsCast, JsValue};

use super::value::json;
use crate::metadata::Value;

/// Text that is handed over at a time; engines hold no string of more than 512 MiB.
const PIECE: usize = 8 << 20;

/// How a text begins that stands for what JSON lacks: the codecs put it in place of bare `NaN` and the like.
const MARK: &[u8] = br#""\u0000"#;

/// A list of items, each of which is JSON text.
pub(crate) fn objects<'a>(items: impl Iterator<Item = &'a [u8]>) -> Array {
    let mut list = Array::new();
    let mut piece = String::from("[");
    for item in items {
        if has_mark(item) {
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

/// One item.
pub(crate) fn object(item: &[u8]) -> JsValue {
    if has_mark(item) {
        return Value::parse(item).map_or(JsValue::NULL, |value| json(&value));
    }
    JSON::parse(&String::from_utf8_lossy(item)).unwrap_or(JsValue::NULL)
}

/// The items of a piece of text, which begins anew.
fn parsed(piece: &mut String) -> Array {
    piece.push(']');
    // Cannot fail: what a codec or a document gave was written by an encoder of ours.
    let items = JSON::parse(piece).ok().and_then(|items| items.dyn_into().ok()).unwrap_or_default();
    piece.clear();
    piece.push('[');
    items
}

fn has_mark(item: &[u8]) -> bool {
    item.windows(MARK.len()).any(|window| window == MARK)
}
