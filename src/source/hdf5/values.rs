//! Attribute values as JSON.
//!
//! A list of one is its item, as netCDF writes numbers; more axes are lists of lists. A reference to an object is the
//! object's path, and bytes without a meaning are text in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::attribute::Attribute;
use super::datatype::{Class, Datatype};
use super::fault::{Fault, Read};
use super::fields::number;
use super::file::FileBytes;
use super::global_heap::{Collections, HeapReference};
use crate::metadata::{JsonNumber, Map, Value};
use crate::source::original::{Lack, text_of};

impl Attribute {
    /// The attribute's value as JSON; `None` where its type has none.
    pub(super) fn value(&self, file: &FileBytes) -> Read<Option<Value>> {
        if self.space.is_null {
            return Ok(Some(Value::Null));
        }
        if matches!(self.datatype.element().0.class, Class::Other(_)) {
            return Ok(None);
        }
        let mut heaps = Collections::default();
        let references = self.datatype.references(file, &self.items)?;
        heaps.load(file, &references)?;
        let mut values = Vec::new();
        for item in self.items.chunks_exact(self.datatype.size as usize) {
            match self.datatype.value(file, &heaps, item)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        if values.len() == 1 && self.space.shape.len() <= 1 {
            return Ok(values.pop());
        }
        Ok(Some(nested(values, &self.space.shape)))
    }

    /// The attribute's value, where it is one text.
    pub(super) fn text(&self, file: &FileBytes) -> Read<Option<String>> {
        match self.datatype.class {
            Class::Text { .. } | Class::VariableText => {
                Ok(self.value(file)?.and_then(|value| value.as_str().map(str::to_owned)))
            }
            _ => Ok(None),
        }
    }
}

/// Values in C order as lists of this shape.
fn nested(mut values: Vec<Value>, shape: &[u64]) -> Value {
    for length in shape.iter().skip(1).rev() {
        let length = usize::try_from(*length).unwrap_or(usize::MAX);
        if length == 0 {
            return Value::Array(Vec::new());
        }
        let mut lists = Vec::new();
        let mut rest = values.into_iter().peekable();
        while rest.peek().is_some() {
            lists.push(Value::Array(rest.by_ref().take(length).collect()));
        }
        values = lists;
    }
    Value::Array(values)
}

impl Datatype {
    /// References to heaps in items of this type, one item after the other.
    pub(super) fn references(&self, file: &FileBytes, items: &[u8]) -> Read<Vec<HeapReference>> {
        let mut found = Vec::new();
        if self.is_variable() {
            for item in items.chunks_exact(self.size as usize) {
                self.find_references(file, item, &mut found)?;
            }
        }
        Ok(found)
    }

    fn find_references(&self, file: &FileBytes, item: &[u8], found: &mut Vec<HeapReference>) -> Read<()> {
        match &self.class {
            // Lists of what lies in heaps itself have no value here.
            Class::VariableList(base) if base.is_variable() => {}
            Class::VariableText | Class::VariableList(_) => {
                let reference = HeapReference::parse(file.fields(item));
                found.push(reference.map_err(|fault| fault.at(0, "items of texts or lists"))?);
            }
            Class::Array { base, .. } => {
                for item in item.chunks_exact(base.size as usize) {
                    base.find_references(file, item, found)?;
                }
            }
            Class::Compound(members) => {
                for member in members {
                    member.datatype.find_references(file, member.of(item), found)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// An item as JSON; `None` where the type has no value.
    pub(super) fn value(&self, file: &FileBytes, heaps: &Collections, item: &[u8]) -> Read<Option<Value>> {
        Ok(match &self.class {
            Class::Integer { is_signed } => Some(self.integer(*is_signed, item)),
            Class::NarrowInteger { is_signed, .. } => {
                let mut item = item.to_vec();
                self.remake(&mut item);
                Some(self.integer(*is_signed, &item))
            }
            Class::Bits => Some(self.integer(false, item)),
            Class::Enum { base, .. } => match base.class {
                _ if self.is_bool() => Some((item[0] != 0).into()),
                _ => return base.value(file, heaps, item),
            },
            Class::Float | Class::BFloat16 => Some(self.float(item)),
            Class::Text { is_space_padded } => {
                let text = text(item);
                Some(if *is_space_padded { text.trim_end_matches(' ').into() } else { text.into() })
            }
            Class::VariableText => {
                let object = heaps.object(file, self.reference(file, item)?)?;
                Some(text(object).into())
            }
            Class::VariableList(base) if base.is_variable() => None,
            Class::VariableList(base) => {
                let reference = self.reference(file, item)?;
                let object = heaps.object(file, reference)?;
                let length =
                    reference.count.checked_mul(base.size).and_then(|length| usize::try_from(length).ok());
                let object = length.and_then(|length| object.get(..length)).ok_or_else(short)?;
                base.list(file, heaps, object)?.map(Value::Array)
            }
            Class::Array { base, shape } => base.list(file, heaps, item)?.map(|values| nested(values, shape)),
            Class::Complex(part) => part.list(file, heaps, item)?.map(Value::Array),
            Class::Compound(members) => {
                if let Some(part) = self.complex_part() {
                    return Ok(part.list(file, heaps, item)?.map(Value::Array));
                }
                let mut fields = Map::new();
                for member in members {
                    match member.datatype.value(file, heaps, member.of(item))? {
                        Some(value) => fields.insert(member.name.clone(), value),
                        None => return Ok(None),
                    };
                }
                Some(Value::Object(fields))
            }
            Class::ObjectReference => Some(file.path(item).into()),
            Class::Opaque | Class::Other(_) => Some(STANDARD.encode(item).into()),
        })
    }

    fn list(&self, file: &FileBytes, heaps: &Collections, items: &[u8]) -> Read<Option<Vec<Value>>> {
        let mut values = Vec::new();
        for item in items.chunks_exact(self.size as usize) {
            match self.value(file, heaps, item)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    fn reference(&self, file: &FileBytes, item: &[u8]) -> Read<HeapReference> {
        Ok(HeapReference::parse(file.fields(item)).map_err(|fault| fault.at(0, "items of texts or lists"))?)
    }

    /// Bytes of a number of up to eight bytes, the least significant first.
    fn little(&self, item: &[u8]) -> [u8; 8] {
        let mut bytes = [0; 8];
        for (to, from) in bytes.iter_mut().zip(item) {
            *to = *from;
        }
        if self.is_big_endian {
            bytes[..item.len().min(8)].reverse();
        }
        bytes
    }

    /// An integer as JSON.
    pub(super) fn integer(&self, is_signed: bool, item: &[u8]) -> Value {
        let unsigned = u64::from_le_bytes(self.little(item));
        if !is_signed {
            return unsigned.into();
        }
        let shift = 64 - 8 * self.size.clamp(1, 8);
        ((unsigned << shift).cast_signed() >> shift).into()
    }

    /// A float as JSON; what is not finite is the bare word of zarr-python.
    pub(super) fn float(&self, item: &[u8]) -> Value {
        let bits = number(&self.little(item));
        #[expect(clippy::cast_possible_truncation, reason = "an item has as many bytes")]
        let float = match (&self.class, self.size) {
            (Class::BFloat16, _) => f32::from_bits((bits as u32) << 16).into(),
            (_, 2) => half::f16::from_bits(bits as u16).into(),
            (_, 4) => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits),
        };
        match JsonNumber::from_f64(float) {
            Some(number) => Value::Number(number),
            None if float.is_nan() => "\0NaN".into(),
            None if float > 0.0 => "\0Infinity".into(),
            None => "\0-Infinity".into(),
        }
    }
}

/// Text up to its first zero.
pub(super) fn text(bytes: &[u8]) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    text_of(bytes)
}

fn short() -> Lack {
    Lack::from(Fault::Short.at(0, "a list in a heap"))
}
