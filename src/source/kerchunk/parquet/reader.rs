//! Reading of a column, in steps: its pages are decompressed, and their values are added, a part at a time.

use super::column::{Addition, Column};
use super::compression::Decompression;
use super::faults::{cut_short, damaged};
use super::footer::FoundColumn;
use super::hybrid::Hybrid;
use super::page::{PageKind, ValuesHeader};
use crate::error::Result;

/// A column while it is read.
#[derive(Debug)]
pub(super) struct ColumnReader {
    column: Column,
    /// Number of the column chunk.
    chunk: usize,
    /// Offset of the next page in it.
    offset: usize,
    /// Values of the pages before.
    values: usize,
    stage: PageStage,
}

/// What is done next.
#[derive(Debug)]
enum PageStage {
    Next,
    Decompress(PageKind, Option<Vec<u32>>, Decompression),
    Levels(ValuesHeader, Vec<u8>),
    Values(ValuesHeader, Option<Vec<u32>>, Vec<u8>, usize),
    Add(Addition),
}

impl ColumnReader {
    pub(super) fn new(kind: i64) -> Result<Self> {
        Ok(Self { column: Column::new(kind)?, chunk: 0, offset: 0, values: 0, stage: PageStage::Next })
    }

    /// The column, once it is read.
    pub(super) fn column(mut self) -> Column {
        self.column.forget_dictionary();
        self.column
    }

    /// Does a step of the work; returns whether all of it is done.
    pub(super) fn step(
        &mut self,
        file: &[u8],
        found: &FoundColumn,
        rows: usize,
        budget: &mut usize,
    ) -> Result<bool> {
        self.stage = match std::mem::replace(&mut self.stage, PageStage::Next) {
            PageStage::Next => match self.next(file, found, rows, budget)? {
                Some(stage) => stage,
                None => return Ok(true),
            },
            PageStage::Decompress(kind, levels, mut decompression) => {
                if decompression.step()? {
                    self.decompressed(kind, levels, decompression.content()?, found.is_optional)
                } else {
                    PageStage::Decompress(kind, levels, decompression)
                }
            }
            PageStage::Levels(header, content) => {
                let length = content.first_chunk().map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes));
                let end = usize::try_from(length).ok().and_then(|length| length.checked_add(4));
                let runs = end.and_then(|end| content.get(4..end)).ok_or_else(cut_short)?;
                let (levels, start) = (Hybrid::new(runs, 1).numbers(header.values)?, 4 + runs.len());
                PageStage::Values(header, Some(levels), content, start)
            }
            PageStage::Values(header, levels, content, start) => {
                PageStage::Add(self.addition(&header, levels, content, start)?)
            }
            PageStage::Add(mut addition) => {
                if !self.column.add(&mut addition)? {
                    PageStage::Add(addition)
                } else {
                    if !addition.is_dictionary {
                        self.values += addition.rows;
                    }
                    PageStage::Next
                }
            }
        };
        Ok(false)
    }

    /// Begins the next page; `None` at the end of the column.
    fn next(
        &mut self,
        file: &[u8],
        found: &FoundColumn,
        rows: usize,
        budget: &mut usize,
    ) -> Result<Option<PageStage>> {
        let Some(chunk) = found.chunks.get(self.chunk) else { return Ok(None) };
        if self.values >= chunk.values {
            chunk.check(self.values)?;
            self.column.forget_dictionary();
            (self.chunk, self.offset, self.values) = (self.chunk + 1, 0, 0);
            return Ok(Some(PageStage::Next));
        }
        let page = chunk.page(file, &mut self.offset)?;
        *budget = budget.checked_sub(page.length).ok_or_else(|| damaged("its pages are too long"))?;
        if let PageKind::Values(header) = &page.kind
            && header.values > rows - self.column.len().min(rows)
        {
            return Err(damaged(format!("it has more values than its {rows} rows")));
        }
        if let PageKind::Other = page.kind {
            return Ok(Some(PageStage::Next));
        }
        let (levels, decompression) = page.begin(found.is_optional, chunk.codec)?;
        Ok(Some(PageStage::Decompress(page.kind, levels, decompression)))
    }

    fn decompressed(
        &mut self,
        kind: PageKind,
        levels: Option<Vec<u32>>,
        content: Vec<u8>,
        is_optional: bool,
    ) -> PageStage {
        match kind {
            PageKind::Values(header) if is_optional && header.second.is_none() => {
                PageStage::Levels(header, content)
            }
            PageKind::Values(header) => PageStage::Values(header, levels, content, 0),
            PageKind::Dictionary { values } => {
                PageStage::Add(self.column.plain(true, None, values, content, 0))
            }
            PageKind::Other => PageStage::Next,
        }
    }

    fn addition(
        &mut self,
        header: &ValuesHeader,
        levels: Option<Vec<u32>>,
        content: Vec<u8>,
        start: usize,
    ) -> Result<Addition> {
        let rows = header.values;
        if header.is_plain {
            return Ok(self.column.plain(false, levels, rows, content, start));
        }
        if !self.column.has_dictionary() {
            return Err(damaged("a page needs a dictionary that is not there"));
        }
        let count = levels.as_ref().map_or(rows, |levels| levels.iter().filter(|level| **level == 1).count());
        let numbers = match content.get(start) {
            Some(width) if count > 0 => {
                Hybrid::new(&content[start + 1..], u32::from(*width)).numbers(count)?
            }
            None if count > 0 => return Err(cut_short()),
            _ => Vec::new(),
        };
        Ok(Column::numbered(levels, rows, numbers))
    }
}
