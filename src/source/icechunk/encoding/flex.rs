//! `FlexBuffers` as JSON: values that carry their own types.
//!
//! Invariant: the size of the result is bounded by the buffer's length, [`MOST`] for each byte. Without the bound, many
//! offsets may lead to one value; several maps may share one list of names.
//! Spec: <https://flatbuffers.dev/internals/#flexbuffers>

use super::message_pack::float;
use crate::error::Gather;
use crate::metadata::{Map, Value};

/// Most values and bytes of text for each byte of a buffer.
const MOST: usize = 4;

/// Deepest nesting of values: far beyond that of configurations and commit metadata.
const DEEPEST: usize = 32;

/// Value of a buffer; `None` where it is damaged or exceeds the bounds.
pub(crate) fn value(buffer: &[u8]) -> Option<Value> {
    let [start @ .., kind, width] = buffer else { return None };
    let at = start.len().checked_sub((*width).into())?;
    Flex { buffer, left: buffer.len().saturating_mul(MOST) }.value(FlexSlot { at, width: *width }, *kind, 0)
}

struct Flex<'a> {
    buffer: &'a [u8],
    /// Values and bytes that may still be read.
    left: usize,
}

/// Position and width in bytes of a number or an offset.
#[derive(Clone, Copy)]
struct FlexSlot {
    at: usize,
    width: u8,
}

impl Flex<'_> {
    fn value(&mut self, slot: FlexSlot, packed: u8, depth: usize) -> Option<Value> {
        self.spend(1)?;
        if depth > DEEPEST {
            return None;
        }
        // Width and kind of the value that an offset leads to.
        let (width, kind) = (1 << (packed & 3), packed >> 2);
        let there = |flex: &Self| Some(FlexSlot { at: flex.target(slot)?, width });
        Some(match kind {
            0 => Value::Null,
            1 => self.signed(slot)?.into(),
            2 => self.unsigned(slot)?.into(),
            3 => self.float(slot)?,
            4 => self.key(self.target(slot)?)?.into(),
            5 => self.text(there(self)?)?.into(),
            6 => self.signed(there(self)?)?.into(),
            7 => self.unsigned(there(self)?)?.into(),
            8 => self.float(there(self)?)?,
            9 => self.map(there(self)?, depth)?,
            10 => {
                let vector = there(self)?;
                let length = self.length(vector)?;
                let items = (0..length).map(|nth| {
                    let kind = self.kind(vector, length, nth)?;
                    self.value(nth_of(vector, nth)?, kind, depth + 1)
                });
                Value::Array(items.gathered()?)
            }
            11..=14 | 36 => {
                let vector = there(self)?;
                let kind = if kind == 36 { 26 } else { kind - 10 };
                let length = self.length(vector)?;
                self.items(vector, length, kind, depth)?
            }
            16..=24 => {
                let (length, kind) = (usize::from(kind - 16) / 3 + 2, (kind - 16) % 3 + 1);
                self.items(there(self)?, length, kind, depth)?
            }
            26 => (self.unsigned(slot)? != 0).into(),
            _ => return None,
        })
    }

    /// Reads items that all have one kind.
    fn items(&mut self, vector: FlexSlot, length: usize, kind: u8, depth: usize) -> Option<Value> {
        let items = (0..length).map(|nth| self.value(nth_of(vector, nth)?, kind << 2, depth + 1));
        Some(Value::Array(items.gathered()?))
    }

    fn map(&mut self, values: FlexSlot, depth: usize) -> Option<Value> {
        let length = self.length(values)?;
        let before = |nth: usize| {
            Some(FlexSlot { at: values.at.checked_sub(nth * usize::from(values.width))?, ..values })
        };
        let width = u8::try_from(self.unsigned(before(2)?)?).ok()?;
        let keys = FlexSlot { at: self.target(before(3)?)?, width };
        let mut map = Map::new();
        for nth in 0..length {
            let key = self.key(self.target(nth_of(keys, nth)?)?)?;
            let kind = self.kind(values, length, nth)?;
            map.insert(key, self.value(nth_of(values, nth)?, kind, depth + 1)?);
        }
        Some(map.into())
    }

    /// Packed kind of an item; the kinds follow the items.
    fn kind(&self, items: FlexSlot, length: usize, nth: usize) -> Option<u8> {
        let behind = nth_of(items, length)?.at.checked_add(nth)?;
        self.buffer.get(behind).copied()
    }

    /// Number of items or bytes, which precedes them.
    fn length(&self, items: FlexSlot) -> Option<usize> {
        let at = items.at.checked_sub(items.width.into())?;
        let length = usize::try_from(self.unsigned(FlexSlot { at, ..items })?).ok()?;
        (length <= self.buffer.len()).then_some(length)
    }

    fn text(&mut self, text: FlexSlot) -> Option<String> {
        let length = self.length(text)?;
        self.spend(length)?;
        String::from_utf8(self.buffer.get(text.at..)?.get(..length)?.to_vec()).ok()
    }

    /// Reads a zero-terminated string.
    fn key(&mut self, at: usize) -> Option<String> {
        let rest = self.buffer.get(at..)?;
        let length = rest.iter().take(self.left).position(|byte| *byte == 0)?;
        self.spend(length)?;
        String::from_utf8(rest[..length].to_vec()).ok()
    }

    fn signed(&self, slot: FlexSlot) -> Option<i64> {
        let number = self.unsigned(slot)?;
        let unused = 64 - 8 * u32::from(slot.width);
        Some((number << unused).cast_signed() >> unused)
    }

    fn unsigned(&self, slot: FlexSlot) -> Option<u64> {
        let bytes = self.buffer.get(slot.at..)?.get(..slot.width.into())?;
        let mut number = [0; 8];
        if ![1, 2, 4, 8].contains(&bytes.len()) {
            return None;
        }
        number[..bytes.len()].copy_from_slice(bytes);
        Some(u64::from_le_bytes(number))
    }

    /// Reads a floating-point number.
    fn float(&self, slot: FlexSlot) -> Option<Value> {
        let bits = self.unsigned(slot)?;
        match slot.width {
            4 => Some(float(f32::from_bits(u32::try_from(bits).ok()?).into())),
            8 => Some(float(f64::from_bits(bits))),
            _ => None,
        }
    }

    /// Position that an offset leads to; offsets count backwards.
    fn target(&self, slot: FlexSlot) -> Option<usize> {
        slot.at.checked_sub(usize::try_from(self.unsigned(slot)?).ok()?)
    }

    fn spend(&mut self, amount: usize) -> Option<()> {
        self.left = self.left.checked_sub(amount)?;
        Some(())
    }
}

/// Slot of the item at an index.
fn nth_of(items: FlexSlot, nth: usize) -> Option<FlexSlot> {
    let at = nth.checked_mul(items.width.into()).and_then(|bytes| items.at.checked_add(bytes))?;
    Some(FlexSlot { at, ..items })
}
