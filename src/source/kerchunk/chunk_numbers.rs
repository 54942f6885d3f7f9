//! Numbers of chunks in C order, by which references in Parquet are stored.

use crate::error::Result;
use crate::metadata::Json;

/// Numbers of chunks of an array along its axes.
#[derive(Debug, Clone)]
pub(super) struct ChunkNumbers(Vec<u64>);

impl ChunkNumbers {
    /// Parses the document `.zarray` of an array.
    pub(super) fn parse(document: &str) -> Result<Self> {
        let value = Json::parse(document.as_bytes())?;
        let root = Json::root(&value);
        let lengths = |name, least| -> Result<Vec<u64>> {
            root.required(name)?.items()?.map(|length| length.integer(least)).collect()
        };
        let (shape, chunks) = (lengths("shape", 0)?, lengths("chunks", 1)?);
        if shape.len() != chunks.len() {
            return Err(root.required("chunks")?.expected("a length for each axis of the shape"));
        }
        Ok(Self(shape.into_iter().zip(chunks).map(|(length, edge)| length.div_ceil(edge)).collect()))
    }

    /// Number of the chunk with this key in its array; `None` where it is not one of the array's chunks.
    ///
    /// An array without axes has one chunk, `0`. References are stored by number, whatever separates the coordinates.
    pub(super) fn number(&self, key: &str) -> Option<u64> {
        let mut coordinates = key.split(['.', '/']).map(|text| text.parse::<u64>().ok());
        if self.0.is_empty() {
            return (coordinates.next()? == Some(0) && coordinates.next().is_none()).then_some(0);
        }
        let mut number = 0_u64;
        for count in &self.0 {
            let coordinate = coordinates.next()?.filter(|coordinate| coordinate < count)?;
            number = number.checked_mul(*count)?.checked_add(coordinate)?;
        }
        coordinates.next().is_none().then_some(number)
    }
}
