//! A column chunk: the pages of one column in one group of rows.

use super::faults::{cut_short, damaged};
use super::page::Page;
use super::thrift::Thrift;
use crate::error::Result;

/// Where the pages of a column lie, and how they are compressed.
#[derive(Debug)]
pub(super) struct ColumnChunk {
    pub(super) codec: i64,
    pub(super) values: usize,
    start: usize,
    length: usize,
}

impl ColumnChunk {
    /// Parses the structure `ColumnMetaData`.
    pub(super) fn parse(described: &Thrift<'_>) -> Result<Self> {
        let data = described.size(9, "the offset of a column's pages")?;
        // The dictionary comes first. Writers without one leave the field out, or write 0.
        let dictionary = described.integer(11).and_then(|at| usize::try_from(at).ok()).filter(|at| *at > 0);
        Ok(Self {
            codec: described.integer(4).unwrap_or_default(),
            values: described.size(5, "the number of a column's values")?,
            start: dictionary.map_or(data, |dictionary| dictionary.min(data)),
            length: described.size(7, "the length of a column's pages")?,
        })
    }

    /// The page at an offset from the first one, which moves on to the next one.
    pub(super) fn page<'a>(&self, file: &'a [u8], offset: &mut usize) -> Result<Page<'a>> {
        let end = self.start.checked_add(self.length);
        let pages = end.and_then(|end| file.get(self.start..end)).ok_or_else(cut_short)?;
        let mut rest = pages.get(*offset..).ok_or_else(cut_short)?;
        let page = Page::parse(&mut rest)?;
        *offset = pages.len() - rest.len();
        Ok(page)
    }

    /// Checks that the pages have no more values than the chunk.
    pub(super) fn check(&self, values: usize) -> Result<()> {
        if values <= self.values {
            return Ok(());
        }
        Err(damaged(format!("a column's pages have {values} values for {}", self.values)))
    }
}
