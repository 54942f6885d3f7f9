//! Items as JavaScript arrays: a typed array where there is one, else strings or byte arrays.

use std::borrow::Cow;
use std::collections::HashMap;

use half::f16;
use js_sys::{
    Array, ArrayBuffer, Float32Array, Float64Array, Function, Int8Array, JsString, RangeError, Reflect,
    Uint8Array,
};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::JsResult;
use super::objects::objects;
use super::value::{field, number};
use crate::codec::Decoded;
use crate::metadata::{DataType, Kind, REFERENCE_BYTES};

/// Items that are converted at a time.
const PIECE: usize = 1 << 16;

#[wasm_bindgen]
extern "C" {
    /// A `Uint8Array`, whose `set` may fail: the caller's arrays can be taken away while a read is under way.
    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;

    #[wasm_bindgen(constructor, catch)]
    fn new(length: f64) -> Result<Bytes, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn buffer(this: &Bytes) -> ArrayBuffer;

    #[wasm_bindgen(method, catch)]
    fn set(this: &Bytes, items: &[u8], at: f64) -> Result<(), JsValue>;
}

/// A typed array that items are copied to as they are.
pub(super) struct Items {
    pub(super) array: JsValue,
    bytes: Bytes,
}

impl Items {
    /// Room for so many bytes of items.
    pub(super) fn new(class: &str, bytes: u64) -> JsResult<Self> {
        let bytes = Bytes::new(number(bytes))?;
        let class: Function = field(&js_sys::global(), class).dyn_into()?;
        let array = Reflect::construct(&class, &Array::of1(&bytes.buffer()))?;
        Ok(Self { array, bytes })
    }

    /// Copies items to their place, so many bytes into the array.
    pub(super) fn set(&self, items: &[u8], at: usize) -> JsResult<()> {
        self.bytes.set(items, number(at as u64))
    }
}

/// The class of the typed array whose items are those of a data type, as they lie in memory; nothing where there is none.
pub(super) fn class(data_type: &DataType) -> Option<&'static str> {
    match (data_type.kind(), data_type.item_size()) {
        (Kind::Bool | Kind::Raw | Kind::Struct(_), _) | (Kind::UInt, 1) => Some("Uint8Array"),
        (Kind::Int, 1) => Some("Int8Array"),
        (Kind::Int, 2) => Some("Int16Array"),
        (Kind::Int, 4) => Some("Int32Array"),
        (Kind::Int | Kind::Time { .. }, _) => Some("BigInt64Array"),
        (Kind::UInt, 2) => Some("Uint16Array"),
        (Kind::UInt, 4) => Some("Uint32Array"),
        (Kind::UInt, _) => Some("BigUint64Array"),
        (Kind::Float, 2) => {
            let has_it = field(&js_sys::global(), "Float16Array").is_function();
            has_it.then_some("Float16Array")
        }
        (Kind::Float, 4) => Some("Float32Array"),
        (Kind::Float, _) => Some("Float64Array"),
        // Interleaved, so that both parts are in one array.
        (Kind::Complex(part), _) if part.item_size() > 2 => class(part),
        _ => None,
    }
}

/// All items of a decoded array, copied out of WebAssembly memory once.
pub(super) fn values(decoded: &Decoded<'_>, data_type: &DataType) -> JsResult<JsValue> {
    let (bytes, size) = (decoded.bytes.as_ref(), data_type.item_size());
    if let Some(class) = class(data_type) {
        let items = Items::new(class, bytes.len() as u64)?;
        items.set(bytes, 0)?;
        return Ok(items.array);
    }
    Ok(match data_type.kind() {
        Kind::SmallInt { bits, signed } => small_integers(bytes, *bits, *signed),
        Kind::MiniFloat(format) => floats(bytes.len() / size, format.widened(bytes)),
        Kind::Complex(part) => match part.kind() {
            Kind::MiniFloat(format) => floats(bytes.len() / part.item_size(), format.widened(bytes)),
            _ => floats(bytes.len() / 2, halves(bytes).map(f32::from)),
        },
        Kind::Utf32 => texts(bytes.chunks_exact(size).map(utf32)),
        Kind::PaddedBytes => byte_arrays(bytes.chunks_exact(size).map(unpadded)),
        Kind::Text => strings(decoded).into(),
        Kind::VariableBytes => byte_arrays(contents(decoded)),
        Kind::Object => objects(contents(decoded)).into(),
        Kind::Ragged(part) => {
            contents(decoded).map(|item| ragged(item, part)).collect::<JsResult<Array>>()?.into()
        }
        // Halves, where there is no array of them.
        _ => floats(bytes.len() / 2, halves(bytes).map(f32::from)),
    })
}

/// One item of a ragged array, as an array of its numbers.
pub(super) fn ragged(item: &[u8], part: &DataType) -> JsResult<JsValue> {
    let none = Cow::Borrowed([].as_slice());
    values(&Decoded { bytes: Cow::Borrowed(item), strides: Vec::new(), heap: none }, part)
}

/// The greatest integer up to which numbers hold every one: 2^53.
const EXACT: u64 = 1 << 53;

/// Whether items are 64-bit integers or times.
pub(super) fn has_64_bits(data_type: &DataType) -> bool {
    data_type.item_size() == 8 && matches!(data_type.kind(), Kind::Int | Kind::UInt | Kind::Time { .. })
}

/// 64-bit integers and times as a `Float64Array`, "not a time" as NaN.
///
/// # Errors
/// `RangeError` with the first one that is beyond 2^53, so that none is ever rounded.
pub(super) fn exact_numbers(bytes: &[u8], data_type: &DataType) -> JsResult<JsValue> {
    let is_unsigned = *data_type.kind() == Kind::UInt;
    let is_time = matches!(data_type.kind(), Kind::Time { .. });
    let array = Float64Array::new_with_length(u32::try_from(bytes.len() / 8).unwrap_or(u32::MAX));
    let mut numbers = Vec::new();
    // Piece by piece: nothing else needs all of them in WebAssembly's memory a second time.
    for (nth, piece) in (0..).zip(bytes.as_chunks().0.chunks(PIECE)) {
        numbers.clear();
        for (within, &item) in piece.iter().enumerate() {
            let signed = i64::from_le_bytes(item);
            let magnitude = if is_unsigned { u64::from_le_bytes(item) } else { signed.unsigned_abs() };
            if is_time && signed == i64::MIN {
                numbers.push(f64::NAN);
            } else if magnitude > EXACT {
                let sign = if is_unsigned || signed > 0 { "" } else { "-" };
                let item = nth as usize * PIECE + within;
                let message = format!(
                    "item {item} is {sign}{magnitude}, beyond 2^53, which a number would round; read it without int64: \"number\""
                );
                return Err(RangeError::new(&message).into());
            } else {
                let number = number(magnitude);
                numbers.push(if is_unsigned || signed >= 0 { number } else { -number });
            }
        }
        let start = nth * PIECE as u32;
        array.subarray(start, start + piece.len() as u32).copy_from(&numbers);
    }
    Ok(array.into())
}

/// So many floats, handed over piece by piece: widened items take several times the memory of stored ones.
fn floats(length: usize, mut values: impl Iterator<Item = f32>) -> JsValue {
    let array = Float32Array::new_with_length(u32::try_from(length).unwrap_or(u32::MAX));
    let mut piece = Vec::with_capacity(PIECE);
    let mut at = 0;
    loop {
        piece.clear();
        piece.extend(values.by_ref().take(PIECE));
        let Ok(count) = u32::try_from(piece.len()) else { break };
        if count == 0 {
            break;
        }
        array.subarray(at, at + count).copy_from(&piece);
        at += count;
    }
    array.into()
}

fn halves(bytes: &[u8]) -> impl Iterator<Item = f16> {
    bytes.as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes))
}

/// The low bits of each byte, as `Int8Array` or `Uint8Array`.
fn small_integers(bytes: &[u8], bits: u32, signed: bool) -> JsValue {
    let unused = 8 - bits;
    if signed {
        let values: Vec<i8> = bytes.iter().map(|byte| (byte << unused).cast_signed() >> unused).collect();
        return Int8Array::new_from_slice(&values).into();
    }
    let values: Vec<u8> = bytes.iter().map(|byte| byte << unused >> unused).collect();
    Uint8Array::new_from_slice(&values).into()
}

/// What the items refer to.
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

/// Text of any length. Items that share theirs, as labels and fill values are shared, share one string: otherwise
/// they could become far more than there is in memory.
fn strings(decoded: &Decoded<'_>) -> Array {
    let string = |item| JsValue::from(String::from_utf8_lossy(content(decoded, item)).as_ref());
    let total = contents(decoded).fold(0usize, |total, text| total.saturating_add(text.len()));
    if total <= decoded.heap.len() {
        return references(decoded).iter().map(string).collect();
    }
    let mut known = HashMap::new();
    let items = references(decoded).iter();
    items.map(|item| known.entry(item).or_insert_with(|| string(item)).clone()).collect()
}

fn texts(texts: impl Iterator<Item = String>) -> JsValue {
    texts.map(|text| JsValue::from(JsString::from(text))).collect::<Array>().into()
}

fn byte_arrays<'a>(items: impl Iterator<Item = &'a [u8]>) -> JsValue {
    items.map(|item| JsValue::from(Uint8Array::new_from_slice(item))).collect::<Array>().into()
}

/// Code points up to the padding; one that is none becomes the replacement character.
fn utf32(item: &[u8]) -> String {
    let units = item.as_chunks::<4>().0.iter().map(|&unit| u32::from_le_bytes(unit));
    let letters = units.map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
    letters.collect::<String>().trim_end_matches('\0').to_owned()
}

fn unpadded(item: &[u8]) -> &[u8] {
    let length = item.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &item[..length]
}
