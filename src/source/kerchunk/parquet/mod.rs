//! Parquet, as far as tables of references need it: flat columns of integers and bytes, read whole, in steps.
//!
//! Written here because hyparquet 1.31.5, a download of 17 kB where this is 14, believes the lengths in a file: four
//! changed bytes in 4 kB made it write 2^24 values in 7 s and 1.8 GB. Here every length is checked first.
//!
//! Encodings: plain and dictionary. Compressions: zstd, snappy, none; gzip would be 5 kB more of download, and no
//! writer of references uses it. Pages: versions 1 and 2. Spec: <https://parquet.apache.org/docs/file-format/>

mod chunk;
mod column;
mod compression;
mod faults;
mod footer;
mod hybrid;
mod page;
mod reader;
mod snappy;
mod thrift;

pub(super) use self::column::Column;

use self::faults::damaged;
use self::footer::{Footer, FoundColumn};
use self::reader::ColumnReader;
use crate::error::{Error, Result};

/// A table while it is read: its columns one after the other.
#[derive(Debug)]
pub(super) struct TableReader<const N: usize> {
    file: Vec<u8>,
    names: [&'static str; N],
    found: [Option<FoundColumn>; N],
    /// Bytes of decompressed pages that may still be read.
    budget: usize,
    /// Number of the column that is read.
    column: usize,
    reader: Option<ColumnReader>,
    table: Table<N>,
}

/// A table: its length and its columns; `None` for those that the file lacks.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    pub(super) rows: usize,
    pub(super) columns: [Option<Column>; N],
}

impl<const N: usize> TableReader<N> {
    /// Begins to read the columns of these names. At most `most_rows` rows and `most_bytes` bytes of decompressed pages
    /// are read.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where the file is damaged or too large, [`Error::Unsupported`] where it uses a
    /// feature that is missing here.
    pub(super) fn new(
        file: Vec<u8>,
        names: [&'static str; N],
        most_rows: usize,
        most_bytes: usize,
    ) -> Result<Self> {
        let footer = Footer::parse(&file)?;
        let rows = footer.rows;
        if rows > most_rows {
            return Err(damaged(format!("it has {rows} rows; the limit is {most_rows}")));
        }
        let mut found = [const { None }; N];
        for (found, name) in found.iter_mut().zip(names) {
            *found = footer.column(name)?;
        }
        let table = Table { rows, columns: [const { None }; N] };
        Ok(Self { file, names, found, budget: most_bytes, column: 0, reader: None, table })
    }

    /// Does a step of the work; returns whether all of it is done.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(super) fn step(&mut self) -> Result<bool> {
        let (Some(found), Some(name)) = (self.found.get(self.column), self.names.get(self.column)) else {
            return Ok(true);
        };
        let Some(found) = found else {
            self.column += 1;
            return Ok(false);
        };
        let mut reader = match self.reader.take() {
            Some(reader) => reader,
            None => ColumnReader::new(found.kind)?,
        };
        let rows = self.table.rows;
        let is_done = reader.step(&self.file, found, rows, &mut self.budget);
        if !is_done.map_err(|error| in_column(error, name))? {
            self.reader = Some(reader);
            return Ok(false);
        }
        let column = reader.column();
        if column.len() != rows {
            return Err(damaged(format!("column {name:?} has {} values for {rows} rows", column.len())));
        }
        self.table.columns[self.column] = Some(column);
        self.column += 1;
        Ok(false)
    }

    /// The table, once all of the work is done.
    pub(super) fn table(self) -> Table<N> {
        self.table
    }
}

fn in_column(error: Error, name: &str) -> Error {
    match error {
        Error::InvalidMetadata { document, path, reason } => {
            Error::InvalidMetadata { document, path, reason: format!("{reason} (in column {name:?})") }
        }
        Error::Codec(error) => damaged(format!("{error} (in column {name:?})")),
        other => other,
    }
}
