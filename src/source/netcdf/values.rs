//! Types of NetCDF-3, the values of attributes as JSON, and text.

use crate::metadata::Value;
use crate::source::original::{float_value, text_of};

/// A type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Byte,
    Char,
    Short,
    Int,
    Float,
    Double,
    UByte,
    UShort,
    UInt,
    Int64,
    UInt64,
}

/// Words for floats that are no numbers of JSON.
const NOT_FINITE: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

/// The types by their numbers from 1, each with the bytes of an item and Zarr's name.
const KINDS: [(Kind, u64, &str); 11] = [
    (Kind::Byte, 1, "int8"),
    (Kind::Char, 1, "string"),
    (Kind::Short, 2, "int16"),
    (Kind::Int, 4, "int32"),
    (Kind::Float, 4, "float32"),
    (Kind::Double, 8, "float64"),
    (Kind::UByte, 1, "uint8"),
    (Kind::UShort, 2, "uint16"),
    (Kind::UInt, 4, "uint32"),
    (Kind::Int64, 8, "int64"),
    (Kind::UInt64, 8, "uint64"),
];

impl Kind {
    /// The type of a number in the file.
    pub(super) fn of(number: u32) -> Option<Self> {
        let nth = usize::try_from(number).ok()?.checked_sub(1)?;
        KINDS.get(nth).map(|(kind, ..)| *kind)
    }

    /// Bytes of an item.
    pub(super) fn size(self) -> u64 {
        KINDS[self as usize].1
    }

    /// Whether a value of an attribute is one of the type's numbers.
    pub(super) fn has(self, value: &Value) -> bool {
        let bits = 8 * self.size();
        match self {
            Self::Char => false,
            Self::Float | Self::Double => {
                value.is_number() || value.as_str().is_some_and(|text| NOT_FINITE.contains(&text))
            }
            Self::Byte | Self::Short | Self::Int | Self::Int64 => {
                value.as_i64().is_some_and(|number| number << (64 - bits) >> (64 - bits) == number)
            }
            Self::UByte | Self::UShort | Self::UInt | Self::UInt64 => {
                value.as_u64().is_some_and(|number| number << (64 - bits) >> (64 - bits) == number)
            }
        }
    }

    /// Name of the data type in Zarr.
    pub(super) fn name(self) -> &'static str {
        KINDS[self as usize].2
    }
}

/// The value of an attribute: text, a number, or a list of several numbers or none.
pub(super) fn value(kind: Kind, bytes: &[u8]) -> Value {
    if kind == Kind::Char {
        return text(bytes).into();
    }
    let mut numbers: Vec<Value> =
        bytes.chunks_exact(kind.size() as usize).map(|item| number(kind, item)).collect();
    match numbers.len() {
        1 => numbers.remove(0),
        _ => Value::Array(numbers),
    }
}

/// A number of big-endian bytes.
fn number(kind: Kind, item: &[u8]) -> Value {
    let mut bits = 0_u64;
    for byte in item {
        bits = bits << 8 | u64::from(*byte);
    }
    match kind {
        Kind::Float => float_value(f32::from_bits(bits as u32).into()),
        Kind::Double => float_value(f64::from_bits(bits)),
        Kind::Byte => i64::from(bits as i8).into(),
        Kind::Short => i64::from(bits as i16).into(),
        Kind::Int => i64::from(bits as i32).into(),
        Kind::Int64 => bits.cast_signed().into(),
        Kind::Char | Kind::UByte | Kind::UShort | Kind::UInt | Kind::UInt64 => bits.into(),
    }
}

/// Text without the NULs at its end: UTF-8, or else Latin-1, which older files have.
pub(super) fn text(bytes: &[u8]) -> String {
    let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    text_of(&bytes[..length])
}

/// Items of text of `width` bytes each, as the codec `vlen-utf8` stores them.
pub(super) fn texts(letters: &[u8], width: u64) -> Vec<u8> {
    let items = letters.chunks_exact(usize::try_from(width).unwrap_or(usize::MAX).max(1));
    let mut found = Vec::with_capacity(letters.len() + 4 * items.len() + 4);
    found.extend_from_slice(&(items.len() as u32).to_le_bytes());
    for item in items {
        let item = text(item);
        found.extend_from_slice(&(item.len() as u32).to_le_bytes());
        found.extend_from_slice(item.as_bytes());
    }
    found
}
