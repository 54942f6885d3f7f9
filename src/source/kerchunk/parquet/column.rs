//! Columns: integers or bytes, with nothing in some rows.

use std::ops::Range;

use super::chunk::ColumnChunk;
use super::faults::{cut_short, damaged, unsupported};
use super::hybrid::Hybrid;
use super::page::{PageKind, PageParts};
use crate::error::Result;

/// Physical types.
const INT32: i64 = 1;
const INT64: i64 = 2;
const BYTE_ARRAY: i64 = 6;

/// Values of a column, by row.
#[derive(Debug)]
pub(in crate::source::kerchunk) enum Column {
    /// Integers of so many bytes.
    Integers(usize, Vec<Option<i64>>),
    /// Pieces of this content. Rows may share one.
    Pieces(Vec<u8>, Vec<Option<Range<usize>>>),
}

/// Bytes of decompressed pages that may still be read.
pub(super) struct Budget(pub(super) usize);

impl Column {
    /// An empty column of a physical type.
    pub(super) fn new(kind: i64) -> Result<Self> {
        match kind {
            INT32 => Ok(Self::Integers(4, Vec::new())),
            INT64 => Ok(Self::Integers(8, Vec::new())),
            BYTE_ARRAY => Ok(Self::Pieces(Vec::new(), Vec::new())),
            kind => Err(unsupported(format!("physical type {kind} of a Parquet column"))),
        }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Integers(_, rows) => rows.len(),
            Self::Pieces(_, rows) => rows.len(),
        }
    }

    /// Integer of a row, if it has one.
    pub(in crate::source::kerchunk) fn integer(&self, row: usize) -> Result<Option<i64>> {
        match self {
            Self::Integers(_, rows) => Ok(rows.get(row).copied().flatten()),
            Self::Pieces(_, rows) if rows.get(row).is_none_or(Option::is_none) => Ok(None),
            Self::Pieces(..) => Err(damaged("expected a column of integers, got one of bytes")),
        }
    }

    /// Bytes of a row, if it has some.
    pub(in crate::source::kerchunk) fn bytes(&self, row: usize) -> Result<Option<&[u8]>> {
        match self {
            Self::Pieces(content, rows) => Ok(rows.get(row).cloned().flatten().map(|piece| &content[piece])),
            // A column without any value may have any type.
            Self::Integers(_, rows) if rows.get(row).copied().flatten().is_none() => Ok(None),
            Self::Integers(..) => Err(damaged("expected a column of bytes, got one of integers")),
        }
    }

    /// Bytes that the column takes.
    pub(in crate::source::kerchunk) fn size(&self) -> usize {
        match self {
            Self::Integers(_, rows) => rows.len() * size_of::<Option<i64>>(),
            Self::Pieces(content, rows) => content.len() + rows.len() * size_of::<Option<Range<usize>>>(),
        }
    }

    /// Reads plain values from content, this many.
    fn plain(&mut self, content: Vec<u8>, start: usize, count: usize) -> Result<Self> {
        match self {
            Self::Integers(width, _) => {
                let end = count.checked_mul(*width).and_then(|length| length.checked_add(start));
                let bytes = end.and_then(|end| content.get(start..end)).ok_or_else(cut_short)?;
                Ok(Self::Integers(*width, bytes.chunks_exact(*width).map(signed).collect()))
            }
            Self::Pieces(own, _) => {
                // The content of each page stays as it is, the lengths between the pieces included.
                let (base, mut pieces, mut at) = (own.len(), Vec::new(), start);
                for _ in 0..count {
                    let length = content.get(at..).and_then(<[u8]>::first_chunk).ok_or_else(cut_short)?;
                    let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| cut_short())?;
                    let end = (at + 4).checked_add(length).filter(|end| *end <= content.len());
                    let end = end.ok_or_else(cut_short)?;
                    pieces.push(Some(base + at + 4..base + end));
                    at = end;
                }
                if own.is_empty() {
                    *own = content;
                } else {
                    own.extend_from_slice(&content);
                }
                Ok(Self::Pieces(Vec::new(), pieces))
            }
        }
    }

    /// Adds rows: those with a level of 1 take the next value.
    fn add(
        &mut self,
        levels: Option<&[u32]>,
        count: usize,
        values: &Self,
        pick: impl Fn(usize) -> Option<usize>,
    ) -> Result<()> {
        let mut next = 0;
        for row in 0..count {
            let place = if levels.is_none_or(|levels| levels[row] == 1) {
                let place = pick(next).ok_or_else(|| damaged("an index leads beyond the dictionary"))?;
                next += 1;
                Some(place)
            } else {
                None
            };
            match (&mut *self, values) {
                (Self::Integers(_, rows), Self::Integers(_, values)) => {
                    rows.push(place.and_then(|place| values[place]))
                }
                (Self::Pieces(_, rows), Self::Pieces(_, values)) => {
                    rows.push(place.and_then(|place| values[place].clone()))
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Adds the values of a column chunk.
pub(super) fn append(
    column: &mut Column,
    chunk: &ColumnChunk,
    file: &[u8],
    (is_optional, rows): (bool, usize),
    budget: &mut Budget,
) -> Result<()> {
    let mut dictionary = None;
    chunk.pages(file, |page| {
        budget.0 = budget.0.checked_sub(page.length).ok_or_else(|| damaged("its pages are too long"))?;
        let header = match &page.kind {
            PageKind::Values(header) => header,
            PageKind::Dictionary { values } => {
                dictionary = Some(column.plain(page.content(chunk.codec)?, 0, *values)?);
                return Ok(0);
            }
            PageKind::Other => return Ok(0),
        };
        if header.values > rows - column.len().min(rows) {
            return Err(damaged(format!("it has more values than its {rows} rows")));
        }
        let PageParts { levels, content, start } = page.parts(header, is_optional, chunk.codec)?;
        let levels = levels.as_deref();
        let count = levels.map_or(header.values, |levels| levels.iter().filter(|level| **level == 1).count());
        if header.is_plain {
            let values = column.plain(content, start, count)?;
            column.add(levels, header.values, &values, Some)?;
            return Ok(header.values);
        }
        let Some(dictionary) = &dictionary else {
            return Err(damaged("a page needs a dictionary that is not there"));
        };
        let numbers = match content.get(start) {
            Some(width) if count > 0 => {
                Hybrid::new(&content[start + 1..], u32::from(*width)).numbers(count)?
            }
            None if count > 0 => return Err(cut_short()),
            _ => Vec::new(),
        };
        let length = dictionary.len();
        let pick = |next: usize| Some(numbers[next] as usize).filter(|place| *place < length);
        column.add(levels, header.values, dictionary, pick)?;
        Ok(header.values)
    })
}

/// A signed integer of four or eight bytes.
fn signed(bytes: &[u8]) -> Option<i64> {
    match *bytes {
        [a, b, c, d] => Some(i32::from_le_bytes([a, b, c, d]).into()),
        _ => bytes.first_chunk().map(|bytes| i64::from_le_bytes(*bytes)),
    }
}
