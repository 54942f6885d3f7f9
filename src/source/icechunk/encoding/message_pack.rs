//! `MessagePack` as JSON, for the commit metadata of version 1. Written by hand, because a library's errors would link
//! the formatting of floats into the module.
//!
//! Invariant: each byte is read once, so the result is bounded by the input.
//! Spec: <https://github.com/msgpack/msgpack/blob/master/spec.md>

use crate::metadata::{JsonNumber, Map, Value};

/// Deepest nesting of values: far beyond that of commit metadata.
const DEEPEST: usize = 32;

/// Value of the bytes; `None` where they are damaged, or hold a type that JSON lacks.
pub(crate) fn value(bytes: &[u8]) -> Option<Value> {
    let mut reader = MessageReader(bytes);
    let value = reader.value(0)?;
    reader.0.is_empty().then_some(value)
}

struct MessageReader<'a>(&'a [u8]);

impl MessageReader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let kind = self.number(1)?;
        Some(match kind {
            0x00..=0x7f => kind.into(),
            0x80..=0x8f => self.map(kind & 15, depth)?,
            0x90..=0x9f => self.list(kind & 15, depth)?,
            0xa0..=0xbf => self.text(kind & 31)?.into(),
            0xc0 => Value::Null,
            0xc2 | 0xc3 => (kind == 0xc3).into(),
            0xca => float(f32::from_bits(u32::try_from(self.number(4)?).ok()?).into()),
            0xcb => float(f64::from_bits(self.number(8)?)),
            0xcc..=0xcf => self.number(1 << (kind - 0xcc))?.into(),
            0xd0..=0xd3 => {
                let width = 1 << (kind - 0xd0);
                let unused = 64 - 8 * width;
                ((self.number(width)? << unused).cast_signed() >> unused).into()
            }
            0xd9..=0xdb => {
                let length = self.number(1 << (kind - 0xd9))?;
                self.text(length)?.into()
            }
            0xdc | 0xdd => {
                let length = self.number(2 << (kind - 0xdc))?;
                self.list(length, depth)?
            }
            0xde | 0xdf => {
                let length = self.number(2 << (kind - 0xde))?;
                self.map(length, depth)?
            }
            0xe0..=0xff => (kind.cast_signed() - 256).into(),
            _ => return None,
        })
    }

    fn list(&mut self, length: u64, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        for _ in 0..length {
            items.push(self.value(depth + 1)?);
        }
        Some(Value::Array(items))
    }

    fn map(&mut self, length: u64, depth: usize) -> Option<Value> {
        let mut map = Map::new();
        for _ in 0..length {
            let Value::String(name) = self.value(depth + 1)? else { return None };
            map.insert(name, self.value(depth + 1)?);
        }
        Some(map.into())
    }

    fn text(&mut self, length: u64) -> Option<String> {
        let bytes = self.bytes(usize::try_from(length).ok()?)?;
        String::from_utf8(bytes.to_vec()).ok()
    }

    /// Reads an unsigned big-endian number of `width` bytes.
    fn number(&mut self, width: usize) -> Option<u64> {
        let bytes = self.bytes(width)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Floating-point number as JSON; null for NaN and infinities.
pub(crate) fn float(number: f64) -> Value {
    JsonNumber::from_f64(number).map_or(Value::Null, Value::Number)
}
