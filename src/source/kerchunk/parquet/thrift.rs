//! Thrift's compact protocol, in which Parquet writes its footer and the headers of its pages.
//!
//! Spec: <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

use super::faults::{cut_short, damaged};
use crate::error::Result;

/// Deepest nesting that is read; Parquet's structures have five levels.
const DEEPEST: usize = 16;

/// Most bytes of one structure: far beyond the kilobytes of a footer with a few columns. Values take up to 40 times
/// their bytes in memory.
const LONGEST: usize = 1 << 20;

/// A value; of floats and UUIDs, which references have no use for, only the place is kept.
#[derive(Debug)]
pub(super) enum Thrift<'a> {
    Bool(bool),
    Integer(i64),
    Bytes(&'a [u8]),
    List(Vec<Thrift<'a>>),
    Struct(Vec<(i64, Thrift<'a>)>),
    Other,
}

impl<'a> Thrift<'a> {
    /// Parses a structure at the start of these bytes; returns it and its length.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<(Self, usize)> {
        let bytes = &bytes[..bytes.len().min(LONGEST)];
        let mut reader = Reader { rest: bytes };
        let parsed = reader.structure(0)?;
        Ok((parsed, bytes.len() - reader.rest.len()))
    }

    /// Field of a structure by its id.
    pub(super) fn field(&self, id: i64) -> Option<&Self> {
        let Self::Struct(fields) = self else { return None };
        fields.iter().find(|(own, _)| *own == id).map(|(_, value)| value)
    }

    /// Integer in a field.
    pub(super) fn integer(&self, id: i64) -> Option<i64> {
        match self.field(id)? {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Length, count or offset in a field that must be there.
    pub(super) fn size(&self, id: i64, what: &str) -> Result<usize> {
        let number = self.integer(id).and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| damaged(format!("{what} is missing or negative")))
    }

    /// Items of the list in a field; none where it is missing.
    pub(super) fn items(&self, id: i64) -> &[Self] {
        match self.field(id) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8> {
        let (first, rest) = self.rest.split_first().ok_or_else(cut_short)?;
        self.rest = rest;
        Ok(*first)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(cut_short)?;
        self.rest = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64> {
        varint(&mut self.rest)
    }

    fn zigzag(&mut self) -> Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    fn length(&mut self) -> Result<usize> {
        usize::try_from(self.varint()?).map_err(|_| cut_short())
    }

    fn structure(&mut self, depth: usize) -> Result<Thrift<'a>> {
        let (mut fields, mut id) = (Vec::new(), 0_i64);
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(Thrift::Struct(fields));
            }
            id = match head >> 4 {
                0 => self.zigzag()?,
                step => id.saturating_add(step.into()),
            };
            let value = match head & 15 {
                1 => Thrift::Bool(true),
                2 => Thrift::Bool(false),
                kind => self.value(kind, depth)?,
            };
            fields.push((id, value));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Result<Thrift<'a>> {
        if depth > DEEPEST {
            return Err(damaged("its structures are nested too deeply"));
        }
        Ok(match kind {
            1 | 2 => Thrift::Bool(self.byte()? == 1),
            3 => Thrift::Integer(i64::from(self.byte()?.cast_signed())),
            4..=6 => Thrift::Integer(self.zigzag()?),
            7 => self.take(8).map(|_| Thrift::Other)?,
            8 => {
                let length = self.length()?;
                Thrift::Bytes(self.take(length)?)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.length()?,
                    count => count.into(),
                };
                // Each item has a byte at least.
                if count > self.rest.len() {
                    return Err(cut_short());
                }
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.value(head & 15, depth + 1)?);
                }
                Thrift::List(items)
            }
            12 => self.structure(depth + 1)?,
            13 => self.take(16).map(|_| Thrift::Other)?,
            _ => return Err(damaged(format!("its structures have a field of type {kind}"))),
        })
    }
}

/// Takes an unsigned number of seven bits a byte from the start of some bytes.
pub(super) fn varint(bytes: &mut &[u8]) -> Result<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first().ok_or_else(cut_short)?;
        *bytes = rest;
        number |= u64::from(first & 127) << shift;
        if first & 128 == 0 {
            return Ok(number);
        }
    }
    Err(damaged("it has a number of more than 64 bits"))
}
