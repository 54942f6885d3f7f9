//! Records: a Parquet file with a reference in each row.

use super::data_address::location;
use super::parquet::{Column, Table, TableReader};
use crate::error::{Error, Result};
use crate::source::{ByteLocation, MAX_TOLD_BYTES};

/// Most references in one file: a million, ten times what kerchunk and VirtualiZarr write.
pub(super) const MOST_RECORDS: u64 = 1 << 20;

/// Largest offset or length: JavaScript's largest exact integer.
const LARGEST: i64 = (1 << 53) - 1;

/// References of consecutive chunks.
#[derive(Debug)]
pub(super) struct Records {
    rows: usize,
    /// Inline bytes, which win over the others.
    raw: Option<Column>,
    path: Option<Column>,
    offset: Option<Column>,
    size: Option<Column>,
}

/// A file of references while it is read.
#[derive(Debug)]
pub(super) struct RecordsReader(TableReader<4>);

impl RecordsReader {
    /// Begins to read a file of references.
    pub(super) fn new(file: Vec<u8>) -> Result<Self> {
        let most = usize::try_from(MOST_RECORDS).unwrap_or(usize::MAX);
        Ok(Self(TableReader::new(file, ["raw", "path", "offset", "size"], most, MAX_TOLD_BYTES)?))
    }

    /// Does a step of the work; returns whether all of it is done.
    pub(super) fn step(&mut self) -> Result<bool> {
        self.0.step()
    }

    /// The references, once all of the work is done.
    pub(super) fn records(self) -> Result<Records> {
        let Table { rows, columns: [raw, path, offset, size] } = self.0.table();
        if raw.is_none() && path.is_none() {
            return Err(Error::metadata("", "expected a table with the columns path, offset, size and raw"));
        }
        Ok(Records { rows, raw, path, offset, size })
    }
}

impl Records {
    /// Bytes that the references take.
    pub(super) fn size(&self) -> usize {
        [&self.raw, &self.path, &self.offset, &self.size].into_iter().flatten().map(Column::size).sum()
    }

    /// Checks that the file has no more rows than the folder's `record_size`: chunks would be found in wrong rows.
    pub(super) fn fits(&self, record_size: u64) -> Result<()> {
        if self.rows as u64 <= record_size {
            return Ok(());
        }
        let reason = format!("it has {} rows, and .zmetadata says record_size {record_size}", self.rows);
        Err(Error::metadata("", reason))
    }

    /// Location of the bytes of a row's chunk.
    pub(super) fn place(&self, row: usize) -> Result<ByteLocation> {
        let at = |name: &str| format!("/{row}/{name}");
        if row >= self.rows {
            let reason = format!("it has {} rows, and this chunk's reference is row {row}", self.rows);
            return Err(Error::metadata("", reason));
        }
        if let Some(raw) = bytes(self.raw.as_ref(), row)? {
            return Ok(ByteLocation::Inline(raw.to_vec()));
        }
        let Some(path) = bytes(self.path.as_ref(), row)? else { return Ok(ByteLocation::Missing) };
        let url = str::from_utf8(path).map_err(|_| Error::metadata(at("path"), "expected text in UTF-8"))?;
        let number = |column: Option<&Column>, name: &str| -> Result<u64> {
            let number = column.map_or(Ok(None), |column| column.integer(row))?.unwrap_or_default();
            u64::try_from(number.min(LARGEST + 1)).ok().filter(|_| number <= LARGEST).ok_or_else(|| {
                Error::metadata(at(name), format!("expected an integer from 0 to 2^53 - 1, got {number}"))
            })
        };
        let (offset, length) = (number(self.offset.as_ref(), "offset")?, number(self.size.as_ref(), "size")?);
        // No offset and no size stand for the whole file.
        let span = (offset > 0 || length > 0).then_some(offset..offset + length);
        location(url.to_owned(), span, || at("path"))
    }
}

fn bytes(column: Option<&Column>, row: usize) -> Result<Option<&[u8]>> {
    column.map_or(Ok(None), |column| column.bytes(row))
}
