//! A column chunk: the pages of one column in one group of rows.

use super::faults::{cut_short, damaged};
use super::page::Page;
use super::thrift::Thrift;
use crate::error::Result;

/// Where the pages of a column lie, and how they are compressed.
#[derive(Debug)]
pub(super) struct ColumnChunk {
    pub(super) codec: i64,
    values: usize,
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

    /// Calls `take` with each page in turn, until all values are there.
    pub(super) fn pages<'a>(
        &self,
        file: &'a [u8],
        mut take: impl FnMut(Page<'a>) -> Result<usize>,
    ) -> Result<()> {
        let end = self.start.checked_add(self.length);
        let mut rest = end.and_then(|end| file.get(self.start..end)).ok_or_else(cut_short)?;
        let mut values = 0;
        while values < self.values {
            let page = Page::parse(&mut rest)?;
            values += take(page)?;
        }
        if values > self.values {
            return Err(damaged(format!("a column's pages have {values} values for {}", self.values)));
        }
        Ok(())
    }
}
