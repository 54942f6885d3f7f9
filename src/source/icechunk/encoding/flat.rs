//! FlatBuffers, read in place: tables, their fields, and vectors.
//!
//! Invariant: every access is checked against the buffer's end, and nothing is copied. Two offsets may lead to the same
//! item, so code that copies items must bound their total size.
//! Spec: <https://flatbuffers.dev/internals/>

use std::cmp::Ordering;

use crate::error::Error;

/// Result of reading; [`Fault`] is small, because every step passes it on.
pub(crate) type Read<T> = Result<T, Fault>;

/// Faults of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An offset leads outside the buffer.
    Outside,
    /// A string is not valid UTF-8.
    Text,
    /// The required field of this name is missing.
    Lacks(&'static str),
    /// The path of a node does not start with a slash.
    Path,
    /// Items of the file, repeated, add up to more bytes than the file has.
    Repeats,
    /// The extents of a manifest and its array differ in their number of axes.
    Axes,
}

/// A table in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct FlatTable<'a> {
    buffer: &'a [u8],
    at: usize,
    /// Offset of each field from the table's start, two bytes each; zero for a missing field.
    fields: &'a [[u8; 2]],
}

/// A vector of tables.
#[derive(Clone, Copy)]
pub(crate) struct FlatTables<'a> {
    buffer: &'a [u8],
    start: usize,
    length: usize,
}

impl<'a> FlatTable<'a> {
    /// Root table of a buffer.
    pub(crate) fn root(buffer: &'a [u8]) -> Read<Self> {
        Self::at(buffer, target(buffer, 0)?)
    }

    fn at(buffer: &'a [u8], at: usize) -> Read<Self> {
        let back = i64::from(i32::from_le_bytes(fixed(buffer, at)?));
        let list =
            i64::try_from(at).ok().and_then(|at| usize::try_from(at - back).ok()).ok_or(Fault::Outside)?;
        let length = u16::from_le_bytes(fixed(buffer, list)?);
        let fields = buffer.get(list..).and_then(|list| list.get(4..length.into())).ok_or(Fault::Outside)?;
        Ok(Self { buffer, at, fields: fields.as_chunks().0 })
    }

    /// Bytes of a number or a structure; `None` for a missing field.
    pub(crate) fn fixed<const N: usize>(&self, field: usize) -> Read<Option<[u8; N]>> {
        self.place(field).map(|place| fixed(self.buffer, place)).transpose()
    }

    /// Number of one byte; zero for a missing field.
    pub(crate) fn byte(&self, field: usize) -> Read<u8> {
        Ok(self.fixed(field)?.map_or(0, |[byte]| byte))
    }

    /// Number of four bytes; zero for a missing field.
    pub(crate) fn int(&self, field: usize) -> Read<u32> {
        Ok(self.fixed(field)?.map_or(0, u32::from_le_bytes))
    }

    /// Number of eight bytes; zero for a missing field.
    pub(crate) fn long(&self, field: usize) -> Read<u64> {
        Ok(self.fixed(field)?.map_or(0, u64::from_le_bytes))
    }

    /// Vector of numbers or structures of `N` bytes each.
    pub(crate) fn items<const N: usize>(&self, field: usize) -> Read<Option<&'a [[u8; N]]>> {
        let Some((start, length)) = self.vector(field)? else { return Ok(None) };
        let bytes = length.checked_mul(N).and_then(|bytes| self.buffer.get(start..)?.get(..bytes));
        bytes.map(|bytes| Some(bytes.as_chunks().0)).ok_or(Fault::Outside)
    }

    /// Vector of bytes.
    pub(crate) fn bytes(&self, field: usize) -> Read<Option<&'a [u8]>> {
        Ok(self.items::<1>(field)?.map(<[[u8; 1]]>::as_flattened))
    }

    /// String.
    pub(crate) fn text(&self, field: usize) -> Read<Option<&'a str>> {
        self.bytes(field)?.map(str::from_utf8).transpose().map_err(|_| Fault::Text)
    }

    /// Table that a field holds.
    pub(crate) fn table(&self, field: usize) -> Read<Option<Self>> {
        let at = self.place(field).map(|place| target(self.buffer, place)).transpose()?;
        at.map(|at| Self::at(self.buffer, at)).transpose()
    }

    /// Vector of tables; empty for a missing field.
    pub(crate) fn tables(&self, field: usize) -> Read<FlatTables<'a>> {
        let (start, length) = self.vector(field)?.unwrap_or_default();
        let bytes = length.checked_mul(4).and_then(|bytes| self.buffer.get(start..)?.get(..bytes));
        bytes.ok_or(Fault::Outside)?;
        Ok(FlatTables { buffer: self.buffer, start, length })
    }

    fn place(&self, field: usize) -> Option<usize> {
        let offset = u16::from_le_bytes(*self.fields.get(field)?);
        (offset > 0).then(|| self.at + usize::from(offset))
    }

    /// Offset of a vector's first item, and the number of items.
    fn vector(&self, field: usize) -> Read<Option<(usize, usize)>> {
        let Some(place) = self.place(field) else { return Ok(None) };
        let at = target(self.buffer, place)?;
        let length = u32::from_le_bytes(fixed(self.buffer, at)?);
        Ok(Some((at + 4, usize::try_from(length).map_err(|_| Fault::Outside)?)))
    }
}

impl<'a> FlatTables<'a> {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Bytes of the buffer that holds the tables.
    pub(crate) fn bytes(&self) -> usize {
        self.buffer.len()
    }

    /// The table at an index.
    pub(crate) fn get(&self, nth: usize) -> Read<FlatTable<'a>> {
        if nth >= self.length {
            return Err(Fault::Outside);
        }
        FlatTable::at(self.buffer, target(self.buffer, self.start + 4 * nth)?)
    }

    /// Binary search in sorted tables: the table for which `compare` gives `Equal`.
    pub(crate) fn search(
        &self,
        compare: impl Fn(&FlatTable<'a>) -> Read<Ordering>,
    ) -> Read<Option<FlatTable<'a>>> {
        let (mut low, mut high) = (0, self.length);
        while low < high {
            let middle = low + (high - low) / 2;
            let table = self.get(middle)?;
            match compare(&table)? {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Ok(Some(table)),
            }
        }
        Ok(None)
    }

    /// Iterates over the tables.
    pub(crate) fn iter(self) -> impl Iterator<Item = Read<FlatTable<'a>>> {
        (0..self.length).map(move |nth| self.get(nth))
    }
}

/// Value of a required field, or [`Fault::Lacks`].
pub(crate) fn required<T>(found: Option<T>, name: &'static str) -> Read<T> {
    found.ok_or(Fault::Lacks(name))
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let reason = match fault {
            Fault::Outside => "an offset leads outside the file",
            Fault::Text => "a string is not valid UTF-8",
            Fault::Lacks(name) => {
                return Self::metadata("", format!("the required field {name:?} is missing"));
            }
            Fault::Path => "the path of a node does not start with a slash",
            Fault::Repeats => "repeated items add up to more bytes than the file has",
            Fault::Axes => "the extents of a manifest have other axes than the array",
        };
        Self::metadata("", format!("{reason}; the file is damaged or cut short"))
    }
}

/// Position that an offset leads to.
fn target(buffer: &[u8], at: usize) -> Read<usize> {
    let offset = u32::from_le_bytes(fixed(buffer, at)?);
    usize::try_from(offset).ok().and_then(|offset| at.checked_add(offset)).ok_or(Fault::Outside)
}

fn fixed<const N: usize>(buffer: &[u8], at: usize) -> Read<[u8; N]> {
    buffer.get(at..).and_then(|rest| rest.first_chunk()).copied().ok_or(Fault::Outside)
}
