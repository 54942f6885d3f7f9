//! Items as JavaScript arrays: a typed array where one fits the data type, else a list of strings, byte arrays or
//! values. The engine parses the JSON text of many items of object arrays in one call.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use js_sys::{Array, ArrayBuffer, Function, JSON, JsString, RangeError, Reflect, TypeError, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::value;
use super::value::{class_tag, field, number, shown};
use crate::js::JsResult;
use crate::metadata::{DataType, Kind, REFERENCE_BYTES, Value, float_text};
use crate::output::{Cast, Decoded, Numeric};
use crate::parts::{Loaded, Opening, PartMissing, later};

#[wasm_bindgen]
extern "C" {
    /// A `Uint8Array`, whose `set` may throw: the caller can detach the array's buffer while a read is in progress.
    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;

    #[wasm_bindgen(constructor, catch)]
    fn new(length: f64) -> Result<Bytes, JsValue>;

    #[wasm_bindgen(constructor, catch)]
    fn within(buffer: &JsValue, offset: f64, length: f64) -> Result<Bytes, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn buffer(this: &Bytes) -> ArrayBuffer;

    #[wasm_bindgen(method, catch)]
    fn set(this: &Bytes, items: &[u8], at: f64) -> Result<(), JsValue>;
}

/// A typed array to which items are copied unchanged.
pub(crate) struct Items {
    pub(crate) array: JsValue,
    bytes: Bytes,
}

impl Items {
    /// Makes a typed array of a class for `bytes` bytes of items.
    pub(crate) fn new(class: &str, bytes: u64) -> JsResult<Self> {
        let bytes = Bytes::new(number(bytes))?;
        let class: Function = field(&js_sys::global(), class).dyn_into()?;
        let array = Reflect::construct(&class, &Array::of1(&bytes.buffer()))?;
        Ok(Self { array, bytes })
    }

    /// Checks and wraps the caller's array `out`, which must be of the class and have exactly `bytes` bytes.
    ///
    /// # Errors
    /// `TypeError` for another class, `RangeError` for another length.
    pub(crate) fn of(array: JsValue, class: &str, bytes: u64) -> JsResult<Self> {
        let tag = class_tag(&array);
        if !ArrayBuffer::is_view(&array) || tag.as_deref() != Some(class) {
            let found = tag.unwrap_or_else(|| shown(&array));
            return Err(
                TypeError::new(&format!("the option out must be of class {class}, not {found}")).into()
            );
        }
        let part = |name: &str| field(&array, name).as_f64().unwrap_or_default();
        let (length, size) = (part("length"), part("BYTES_PER_ELEMENT"));
        if length * size != number(bytes) {
            let [length, expected] = [length, number(bytes) / size].map(float_text);
            let message = format!("the option out must have {expected} items, not {length}");
            return Err(RangeError::new(&message).into());
        }
        let bytes = Bytes::within(&field(&array, "buffer"), part("byteOffset"), number(bytes))?;
        Ok(Self { array, bytes })
    }

    /// The array's bytes.
    pub(crate) fn bytes(&self) -> &JsValue {
        self.bytes.as_ref()
    }

    /// Copies items to the byte offset `at` of the array.
    pub(crate) fn set(&self, items: &[u8], at: usize) -> JsResult<()> {
        self.bytes.set(items, number(at as u64))
    }
}

/// Name of the typed array class for a number type.
pub(crate) fn class(number: Numeric) -> &'static str {
    match number {
        Numeric::Int(8) => "Int8Array",
        Numeric::Int(16) => "Int16Array",
        Numeric::Int(32) => "Int32Array",
        Numeric::Int(_) => "BigInt64Array",
        Numeric::UInt(16) => "Uint16Array",
        Numeric::UInt(32) => "Uint32Array",
        Numeric::UInt(64) => "BigUint64Array",
        Numeric::UInt(_) | Numeric::Bool => "Uint8Array",
        Numeric::Float(16) => "Float16Array",
        Numeric::Float(32) => "Float32Array",
        Numeric::Float(_) => "Float64Array",
    }
}

/// Whether this engine has `Float16Array`.
pub(crate) fn has_halves() -> bool {
    field(&js_sys::global(), "Float16Array").is_function()
}

/// Whether items are 64-bit integers or times.
pub(crate) fn has_64_bits(data_type: &DataType) -> bool {
    let element = data_type.element();
    element.item_size() == 8 && matches!(element.kind(), Kind::Int | Kind::UInt | Kind::Time { .. })
}

/// Number type of the typed array for a data type, and the cast from stored items where one is needed.
///
/// Real and imaginary parts of complex numbers are interleaved in one array. `None` where items become a list.
///
/// # Errors
/// [`PartMissing`] where the part that casts them, or that lists them, is not loaded.
pub(crate) fn numbers(data_type: &DataType) -> Result<Option<(Numeric, Option<Cast>)>, PartMissing> {
    let made = |number: Numeric| Ok(Some((number, Cast::new(Loaded::get()?, data_type, number))));
    let element = data_type.element();
    let (part, is_complex) = match element.kind() {
        Kind::Complex(part) => (&**part, true),
        _ => (element, false),
    };
    match part.kind() {
        Kind::Raw | Kind::Struct(_) => Ok(Some((Numeric::UInt(8), None))),
        Kind::Time { .. } => Ok(Some((Numeric::Int(64), None))),
        Kind::SmallInt { signed: true, .. } => made(Numeric::Int(8)),
        Kind::SmallInt { signed: false, .. } => made(Numeric::UInt(8)),
        Kind::MiniFloat(_) => made(Numeric::Float(32)),
        Kind::Float if part.item_size() == 2 && (is_complex || !has_halves()) => made(Numeric::Float(32)),
        _ => match part.numeric() {
            Some(number) => Ok(Some((number, None))),
            None => Loaded::<Opening>::get().map(|_| None),
        },
    }
}

/// Copies items unchanged to a new typed array.
pub(crate) fn typed(items: &[u8], number: Numeric) -> JsResult<JsValue> {
    let array = Items::new(class(number), items.len() as u64)?;
    array.set(items, 0)?;
    Ok(array.array)
}

/// Copies all items of a decoded array to a JavaScript array, without conversions that the caller asked for.
pub(crate) fn values(decoded: &Decoded<'_>, data_type: &DataType) -> JsResult<JsValue> {
    match numbers(data_type)? {
        Some((number, None)) => typed(&decoded.bytes, number),
        Some((number, Some(cast))) => typed(&cast.made(&decoded.bytes), number),
        None => listed(Loaded::get()?, decoded, data_type),
    }
}

/// Items of other types as a list.
#[later]
fn listed(_: Loaded<Opening>, decoded: &Decoded<'_>, data_type: &DataType) -> JsResult<JsValue> {
    let (bytes, size) = (decoded.bytes.as_ref(), data_type.element().item_size());
    Ok(match data_type.element().kind() {
        Kind::Utf32 => texts(bytes.chunks_exact(size).map(utf32)),
        Kind::PaddedBytes => byte_arrays(bytes.chunks_exact(size).map(unpadded)),
        Kind::Text => {
            each_once(decoded, |item| Ok(JsValue::from(String::from_utf8_lossy(item).as_ref())))?.into()
        }
        Kind::Object if has_shared_content(decoded) => each_once(decoded, |item| Ok(object(item)))?.into(),
        Kind::Object => objects(contents(decoded)).into(),
        Kind::Ragged(part) => each_once(decoded, |item| ragged(item, part))?.into(),
        _ => each_once(decoded, |item| Ok(Uint8Array::new_from_slice(item).into()))?.into(),
    })
}

/// One item of a ragged array, as an array of its numbers.
fn ragged(item: &[u8], part: &DataType) -> JsResult<JsValue> {
    let none = Cow::Borrowed([].as_slice());
    values(&Decoded { bytes: Cow::Borrowed(item), strides: Vec::new(), heap: none, reversed: None }, part)
}

/// Contents of variable-length items.
fn contents<'a>(decoded: &'a Decoded<'_>) -> impl Iterator<Item = &'a [u8]> {
    references(decoded).iter().map(|item| content(decoded, item))
}

fn references<'a>(decoded: &'a Decoded<'_>) -> &'a [[u8; REFERENCE_BYTES]] {
    decoded.bytes.as_chunks().0
}

fn content<'a>(decoded: &'a Decoded<'_>, item: &[u8; REFERENCE_BYTES]) -> &'a [u8] {
    let [start, length] = [[item[0], item[1], item[2], item[3]], [item[4], item[5], item[6], item[7]]]
        .map(|part| u32::from_le_bytes(part) as usize);
    decoded.heap.get(start..start + length).unwrap_or_default()
}

/// Whether items share content, as labels and fill values do.
fn has_shared_content(decoded: &Decoded<'_>) -> bool {
    let total = contents(decoded).fold(0usize, |total, content| total.saturating_add(content.len()));
    total > decoded.heap.len()
}

/// Values of items of variable length. Items with the same reference share one value; separate ones could take far more
/// memory than there is.
fn each_once(decoded: &Decoded<'_>, made: impl Fn(&[u8]) -> JsResult<JsValue>) -> JsResult<Array> {
    let value = |item| made(content(decoded, item));
    if !has_shared_content(decoded) {
        return references(decoded).iter().map(value).collect();
    }
    let mut known: HashMap<_, JsValue> = HashMap::new();
    let items = references(decoded).iter();
    let once = |item| match known.entry(item) {
        Entry::Occupied(made) => Ok(made.get().clone()),
        Entry::Vacant(place) => value(item).map(|made| place.insert(made).clone()),
    };
    items.map(once).collect()
}

fn texts(texts: impl Iterator<Item = String>) -> JsValue {
    texts.map(|text| JsValue::from(JsString::from(text))).collect::<Array>().into()
}

fn byte_arrays<'a>(items: impl Iterator<Item = &'a [u8]>) -> JsValue {
    items.map(|item| JsValue::from(Uint8Array::new_from_slice(item))).collect::<Array>().into()
}

/// Text of fixed length without its padding. An invalid code point becomes the replacement character.
fn utf32(item: &[u8]) -> String {
    let units = item.as_chunks::<4>().0.iter().map(|&unit| u32::from_le_bytes(unit));
    let letters = units.map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
    letters.collect::<String>().trim_end_matches('\0').to_owned()
}

fn unpadded(item: &[u8]) -> &[u8] {
    let length = item.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &item[..length]
}

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
fn object(item: &[u8]) -> JsValue {
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

/// A fill value: a boolean, a number, a bigint for 64-bit integers, a pair for complex numbers, a string, or bytes.
pub(crate) fn fill_value(content: &[u8], data_type: &DataType) -> JsResult<JsValue> {
    let none = Cow::Borrowed([].as_slice());
    let item = Decoded { bytes: Cow::Borrowed(content), strides: Vec::new(), heap: none, reversed: None };
    Ok(match data_type.kind() {
        Kind::Bool => content.iter().any(|&byte| byte != 0).into(),
        Kind::Text => String::from_utf8_lossy(content).into_owned().into(),
        Kind::VariableBytes | Kind::Raw | Kind::Struct(_) => Uint8Array::new_from_slice(content).into(),
        Kind::Object => object(content),
        Kind::Ragged(part) => ragged(content, part)?,
        Kind::Subarray { .. } => values(&item, data_type)?,
        Kind::Complex(_) => {
            let parts = values(&item, data_type)?;
            Array::of2(&field(&parts, "0"), &field(&parts, "1")).into()
        }
        _ => field(&values(&item, data_type)?, "0"),
    })
}
