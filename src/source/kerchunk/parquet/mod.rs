//! Parquet, as far as tables of references need it: flat columns of integers and bytes, read whole.
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
mod snappy;
mod thrift;

pub(super) use self::column::Column;

use self::column::{Budget, append};
use self::faults::damaged;
use self::footer::Footer;
use crate::error::{Error, Result};

/// A table: its length and its columns.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    pub(super) rows: usize,
    pub(super) columns: [Option<Column>; N],
}

/// Reads the columns of these names; `None` for those that the file lacks. At most `most_rows` rows and `most_bytes`
/// bytes of decompressed pages are read.
///
/// # Errors
/// [`Error::InvalidMetadata`] where the file is damaged or too large, [`Error::Unsupported`] where it uses a feature
/// that is missing here.
pub(super) fn table<const N: usize>(
    file: &[u8],
    names: [&str; N],
    most_rows: usize,
    most_bytes: usize,
) -> Result<Table<N>> {
    let footer = Footer::parse(file)?;
    let rows = footer.rows;
    if rows > most_rows {
        return Err(damaged(format!("it has {rows} rows; the limit is {most_rows}")));
    }
    let mut columns = [const { None }; N];
    let mut budget = Budget(most_bytes);
    for (column, name) in columns.iter_mut().zip(names) {
        let Some(found) = footer.column(name)? else { continue };
        let mut read = Column::new(found.kind)?;
        for chunk in &found.chunks {
            append(&mut read, chunk, file, (found.is_optional, rows), &mut budget)
                .map_err(|error| in_column(error, name))?;
        }
        if read.len() != rows {
            let reason = format!("column {name:?} has {} values for {rows} rows", read.len());
            return Err(damaged(reason));
        }
        *column = Some(read);
    }
    Ok(Table { rows, columns })
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
