//! The footer: the number of rows, the schema, and where the pages of each column lie.

use super::chunk::ColumnChunk;
use super::faults::{cut_short, damaged, unsupported};
use super::thrift::Thrift;
use crate::error::Result;

const MAGIC: &[u8] = b"PAR1";

/// Repetition types of the schema.
const OPTIONAL: i64 = 1;

/// Contents of the footer.
#[derive(Debug)]
pub(super) struct Footer<'a> {
    pub(super) rows: usize,
    schema: Thrift<'a>,
}

/// A column: its physical type, and its pages in each group of rows.
#[derive(Debug)]
pub(super) struct FoundColumn {
    pub(super) kind: i64,
    pub(super) is_optional: bool,
    pub(super) chunks: Vec<ColumnChunk>,
}

impl<'a> Footer<'a> {
    /// Parses the footer of a file.
    pub(super) fn parse(file: &'a [u8]) -> Result<Self> {
        if file.len() < 12 || !file.starts_with(MAGIC) || !file.ends_with(MAGIC) {
            return Err(damaged("it does not begin and end with \"PAR1\""));
        }
        let end = file.len() - 8;
        let length = file[end..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let start =
            end.checked_sub(usize::try_from(length).map_err(|_| cut_short())?).ok_or_else(cut_short)?;
        let (schema, _) = Thrift::parse(&file[start..end])?;
        Ok(Self { rows: schema.size(3, "the number of rows")?, schema })
    }

    /// The column of a name, if there is one.
    pub(super) fn column(&self, name: &str) -> Result<Option<FoundColumn>> {
        let is_named = |element: &&Thrift<'_>| matches!(element.field(4), Some(Thrift::Bytes(own)) if *own == name.as_bytes());
        // The first element is the table itself.
        let Some(element) = self.schema.items(2).iter().skip(1).find(is_named) else { return Ok(None) };
        let repetition = element.integer(3).unwrap_or_default();
        if element.integer(5).is_some_and(|children| children > 0) || repetition > OPTIONAL {
            return Err(unsupported(format!("the nested Parquet column {name:?}")));
        }
        let kind = element.integer(1).ok_or_else(|| damaged(format!("column {name:?} has no type")))?;
        let mut chunks = Vec::new();
        for group in self.schema.items(4) {
            let own = group.items(1).iter().find_map(|chunk| {
                let described = chunk.field(3)?;
                let is_own = matches!(described.items(3), [Thrift::Bytes(own)] if *own == name.as_bytes());
                is_own.then_some((chunk, described))
            });
            let Some((chunk, described)) = own else {
                return Err(damaged(format!("a group of rows lacks column {name:?}")));
            };
            if chunk.field(1).is_some() {
                return Err(unsupported("a Parquet column in another file".to_owned()));
            }
            chunks.push(ColumnChunk::parse(described)?);
        }
        Ok(Some(FoundColumn { kind, is_optional: repetition == OPTIONAL, chunks }))
    }
}
