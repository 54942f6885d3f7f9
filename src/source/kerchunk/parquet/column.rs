//! Columns: integers or bytes, with nothing in some rows.

use super::faults::{cut_short, damaged, unsupported};
use crate::error::Result;

/// Physical types.
const INT32: i64 = 1;
const INT64: i64 = 2;
const BYTE_ARRAY: i64 = 6;

/// Rows that one step adds.
const STEP_ROWS: usize = 1 << 15;

/// A column.
#[derive(Debug)]
pub(in crate::source::kerchunk) struct Column {
    rows: Values,
    /// Values of the dictionary, to which pages refer by their numbers.
    dictionary: Option<Values>,
    /// Bytes of which the pieces are: the content of pages, the lengths between the pieces included.
    content: Vec<u8>,
}

#[derive(Debug)]
enum Values {
    /// Integers of so many bytes.
    Integers(usize, Vec<Option<i64>>),
    /// Pieces of the column's content; rows may share one. Contents are shorter than 4 GiB.
    Pieces(Vec<Option<Piece>>),
}

/// Start and length of a piece.
type Piece = (u32, u32);

/// Values of a page while they are added.
#[derive(Debug)]
pub(super) struct Addition {
    pub(super) is_dictionary: bool,
    /// For each row whether it has a value; `None` where all have one.
    pub(super) levels: Option<Vec<u32>>,
    pub(super) rows: usize,
    /// Rows that are added.
    added: usize,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// Integers one after the other, from a place on.
    Integers(Vec<u8>, usize),
    /// Bytes with their lengths before them, from a place in the column's content on.
    Pieces(usize),
    /// Numbers of the dictionary's values, and the next one.
    Numbers(Vec<u32>, usize),
}

impl Column {
    /// An empty column of a physical type.
    pub(super) fn new(kind: i64) -> Result<Self> {
        let rows = match kind {
            INT32 => Values::Integers(4, Vec::new()),
            INT64 => Values::Integers(8, Vec::new()),
            BYTE_ARRAY => Values::Pieces(Vec::new()),
            kind => return Err(unsupported(format!("physical type {kind} of a Parquet column"))),
        };
        Ok(Self { rows, dictionary: None, content: Vec::new() })
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        match &self.rows {
            Values::Integers(_, rows) => rows.len(),
            Values::Pieces(rows) => rows.len(),
        }
    }

    /// Integer of a row, if it has one.
    pub(in crate::source::kerchunk) fn integer(&self, row: usize) -> Result<Option<i64>> {
        match &self.rows {
            Values::Integers(_, rows) => Ok(rows.get(row).copied().flatten()),
            Values::Pieces(rows) if rows.get(row).is_none_or(Option::is_none) => Ok(None),
            Values::Pieces(_) => Err(damaged("expected a column of integers, got one of bytes")),
        }
    }

    /// Bytes of a row, if it has some.
    pub(in crate::source::kerchunk) fn bytes(&self, row: usize) -> Result<Option<&[u8]>> {
        match &self.rows {
            Values::Pieces(rows) => {
                let piece = rows.get(row).copied().flatten();
                Ok(piece
                    .and_then(|(start, length)| self.content.get(start as usize..)?.get(..length as usize)))
            }
            // A column without any value may have any type.
            Values::Integers(_, rows) if rows.get(row).copied().flatten().is_none() => Ok(None),
            Values::Integers(..) => Err(damaged("expected a column of bytes, got one of integers")),
        }
    }

    /// Bytes that the column takes.
    pub(in crate::source::kerchunk) fn size(&self) -> usize {
        match &self.rows {
            Values::Integers(_, rows) => rows.len() * size_of::<Option<i64>>(),
            Values::Pieces(rows) => self.content.len() + rows.len() * size_of::<Option<Piece>>(),
        }
    }

    /// Whether there is a dictionary.
    pub(super) fn has_dictionary(&self) -> bool {
        self.dictionary.is_some()
    }

    /// Forgets the dictionary, which belongs to one group of rows.
    pub(super) fn forget_dictionary(&mut self) {
        self.dictionary = None;
    }

    /// Begins to add plain values.
    pub(super) fn plain(
        &mut self,
        is_dictionary: bool,
        levels: Option<Vec<u32>>,
        rows: usize,
        content: Vec<u8>,
        start: usize,
    ) -> Addition {
        let source = match &self.rows {
            Values::Integers(..) => Source::Integers(content, start),
            Values::Pieces(_) => {
                let base = self.content.len();
                if self.content.is_empty() {
                    self.content = content;
                } else {
                    self.content.extend_from_slice(&content);
                }
                Source::Pieces(base + start)
            }
        };
        if is_dictionary {
            self.dictionary = Some(match &self.rows {
                Values::Integers(width, _) => Values::Integers(*width, Vec::new()),
                Values::Pieces(_) => Values::Pieces(Vec::new()),
            });
        }
        Addition { is_dictionary, levels, rows, added: 0, source }
    }

    /// Begins to add values of the dictionary, by their numbers.
    pub(super) fn numbered(levels: Option<Vec<u32>>, rows: usize, numbers: Vec<u32>) -> Addition {
        Addition { is_dictionary: false, levels, rows, added: 0, source: Source::Numbers(numbers, 0) }
    }

    /// Adds some rows; returns whether all are added.
    pub(super) fn add(&mut self, addition: &mut Addition) -> Result<bool> {
        let Self { rows, dictionary, content } = self;
        let Addition { is_dictionary, levels, rows: count, added, source } = addition;
        let end = (*count).min(*added + STEP_ROWS);
        let (target, dictionary) = match dictionary {
            Some(dictionary) if *is_dictionary => (dictionary, None),
            dictionary => (rows, dictionary.as_ref()),
        };
        for row in *added..end {
            let has_value = levels.as_ref().is_none_or(|levels| levels.get(row) == Some(&1));
            match target {
                Values::Integers(width, rows) => {
                    rows.push(if has_value { source.integer(*width, dictionary)? } else { None });
                }
                Values::Pieces(rows) => {
                    rows.push(if has_value { source.piece(content, dictionary)? } else { None });
                }
            }
        }
        *added = end;
        Ok(end == *count)
    }
}

impl Source {
    fn integer(&mut self, width: usize, dictionary: Option<&Values>) -> Result<Option<i64>> {
        match (&mut *self, dictionary) {
            (Self::Integers(content, at), _) => {
                let bytes = content.get(*at..*at + width).ok_or_else(cut_short)?;
                *at += width;
                Ok(signed(bytes))
            }
            (_, Some(Values::Integers(_, values))) => self.picked(values),
            _ => Err(no_value()),
        }
    }

    fn piece(&mut self, content: &[u8], dictionary: Option<&Values>) -> Result<Option<Piece>> {
        match (&mut *self, dictionary) {
            (Self::Pieces(at), _) => {
                let length = content.get(*at..).and_then(<[u8]>::first_chunk).ok_or_else(cut_short)?;
                let (start, length) = (*at + 4, u32::from_le_bytes(*length));
                let end = start.checked_add(length as usize).filter(|end| *end <= content.len());
                *at = end.ok_or_else(cut_short)?;
                Ok(Some((u32::try_from(start).map_err(|_| cut_short())?, length)))
            }
            (_, Some(Values::Pieces(values))) => self.picked(values),
            _ => Err(no_value()),
        }
    }

    /// The value of the dictionary with the next number.
    fn picked<T: Copy>(&mut self, values: &[Option<T>]) -> Result<Option<T>> {
        let Self::Numbers(numbers, next) = self else { return Err(no_value()) };
        let number = numbers.get(*next).ok_or_else(no_value)?;
        *next += 1;
        values.get(*number as usize).copied().ok_or_else(no_value)
    }
}

fn no_value() -> crate::error::Error {
    damaged("an index leads beyond the dictionary")
}

/// A signed integer of four or eight bytes.
fn signed(bytes: &[u8]) -> Option<i64> {
    match *bytes {
        [a, b, c, d] => Some(i32::from_le_bytes([a, b, c, d]).into()),
        _ => bytes.first_chunk().map(|bytes| i64::from_le_bytes(*bytes)),
    }
}
