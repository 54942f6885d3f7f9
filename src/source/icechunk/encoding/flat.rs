//! Flatbuffers, read where they lie: tables, their fields, and vectors.
//!
//! Invariant: every step is held against the buffer's end before it is taken, and nothing is copied. An offset may lead
//! to the same thing twice, so whoever copies bounds what comes of it.
//! Spec: <https://flatbuffers.dev/internals/>

use std::cmp::Ordering;

use crate::error::Error;

/// Result of reading; the fault is small, as it is passed on at every step.
pub(crate) type Read<T> = Result<T, Fault>;

/// Faults of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An offset leads outside.
    Outside,
    /// A text is no UTF-8.
    Text,
    /// A field of this name is left out, which there must be.
    Lacks(&'static str),
    /// The path of a node does not start with a slash.
    Path,
    /// Things in it come to more bytes than it has.
    Repeats,
    /// A manifest's extents have another number of axes than its array.
    Axes,
}

/// A table in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct FlatTable<'a> {
    buffer: &'a [u8],
    at: usize,
    /// How far from the table's start each field is, two bytes each; zero where it is left out.
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
    /// The table that a buffer is of.
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

    /// The bytes of a number or a structure; nothing where it is left out.
    pub(crate) fn fixed<const N: usize>(&self, field: usize) -> Read<Option<[u8; N]>> {
        self.place(field).map(|place| fixed(self.buffer, place)).transpose()
    }

    /// A number of one byte, zero where it is left out.
    pub(crate) fn byte(&self, field: usize) -> Read<u8> {
        Ok(self.fixed(field)?.map_or(0, |[byte]| byte))
    }

    /// A number of four bytes, zero where it is left out.
    pub(crate) fn int(&self, field: usize) -> Read<u32> {
        Ok(self.fixed(field)?.map_or(0, u32::from_le_bytes))
    }

    /// A number of eight bytes, zero where it is left out.
    pub(crate) fn long(&self, field: usize) -> Read<u64> {
        Ok(self.fixed(field)?.map_or(0, u64::from_le_bytes))
    }

    /// A vector of numbers or structures of so many bytes.
    pub(crate) fn items<const N: usize>(&self, field: usize) -> Read<Option<&'a [[u8; N]]>> {
        let Some((start, length)) = self.vector(field)? else { return Ok(None) };
        let bytes = length.checked_mul(N).and_then(|bytes| self.buffer.get(start..)?.get(..bytes));
        bytes.map(|bytes| Some(bytes.as_chunks().0)).ok_or(Fault::Outside)
    }

    /// A vector of bytes.
    pub(crate) fn bytes(&self, field: usize) -> Read<Option<&'a [u8]>> {
        Ok(self.items::<1>(field)?.map(<[[u8; 1]]>::as_flattened))
    }

    /// A text.
    pub(crate) fn text(&self, field: usize) -> Read<Option<&'a str>> {
        self.bytes(field)?.map(str::from_utf8).transpose().map_err(|_| Fault::Text)
    }

    /// A table in this one.
    pub(crate) fn table(&self, field: usize) -> Read<Option<Self>> {
        let at = self.place(field).map(|place| target(self.buffer, place)).transpose()?;
        at.map(|at| Self::at(self.buffer, at)).transpose()
    }

    /// A vector of tables, empty where it is left out.
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

    /// Where the items of a vector start, and how many there are.
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

    /// How many bytes the buffer has that they lie in.
    pub(crate) fn bytes(&self) -> usize {
        self.buffer.len()
    }

    /// One of the tables.
    pub(crate) fn get(&self, nth: usize) -> Read<FlatTable<'a>> {
        if nth >= self.length {
            return Err(Fault::Outside);
        }
        FlatTable::at(self.buffer, target(self.buffer, self.start + 4 * nth)?)
    }

    /// The one that lies nowhere before or after what is looked for, in tables that are in order.
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

    /// All of them, one after the other.
    pub(crate) fn iter(self) -> impl Iterator<Item = Read<FlatTable<'a>>> {
        (0..self.length).map(move |nth| self.get(nth))
    }
}

/// Value that must be there by the schema, or the fault that it lacks.
pub(crate) fn required<T>(found: Option<T>, name: &'static str) -> Read<T> {
    found.ok_or(Fault::Lacks(name))
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let reason = match fault {
            Fault::Outside => "an offset in it leads outside",
            Fault::Text => "a text in it is no UTF-8",
            Fault::Lacks(name) => {
                return Self::metadata("", format!("it has no {name}, which there must be"));
            }
            Fault::Path => "a path in it does not start with a slash",
            Fault::Repeats => "the same things are in it again and again",
            Fault::Axes => "the extents of a manifest in it have other axes than the array",
        };
        Self::metadata("", format!("{reason}; it is damaged, or was cut short"))
    }
}

/// Where an offset leads.
fn target(buffer: &[u8], at: usize) -> Read<usize> {
    let offset = u32::from_le_bytes(fixed(buffer, at)?);
    usize::try_from(offset).ok().and_then(|offset| at.checked_add(offset)).ok_or(Fault::Outside)
}

fn fixed<const N: usize>(buffer: &[u8], at: usize) -> Read<[u8; N]> {
    buffer.get(at..).and_then(|rest| rest.first_chunk()).copied().ok_or(Fault::Outside)
}
