//! Gatherings: what a read hands its boxes to in place of a result.
//!
//! A trait, so that what holds one needs none of its code, which a later part of the module has.

use super::reduce::{AnswerColumn, BoxItems, ChunkBox, Reduction, mixed};
use super::turns::Bounds;
use super::zonal::ZonalReduction;
use crate::error::Result;

/// Statistics in progress.
pub trait Gathering {
    /// Whether so much waits for its turn that no further chunk should be begun.
    fn is_full(&self) -> bool;

    /// Notes a chunk by its boxes that need not be read; returns whether that is so.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] as in [`Gathering::put`], for boxes that waited.
    fn skip(&mut self, boxes: &[Bounds]) -> Result<bool>;

    /// Takes the items of a box of the result, which lies in one chunk, or any box that is not stored.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where more values must be held than memory is kept for.
    fn put(&mut self, bounds: &[(u64, u64)], items: BoxItems<'_>) -> Result<()>;

    /// The job by which a worker reduces a chunk, of which [`Gathering::put_reduced`] takes the result; `None` where the
    /// items must come.
    fn job(&self, place: ChunkBox<'_>) -> Option<Vec<u8>>;

    /// Takes what a worker made of a box by such a job.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where the bytes are another version's.
    fn put_reduced(&mut self, bounds: &[(u64, u64)], packed: &[u8]) -> Result<()>;

    /// The statistics so far, in the order of their names.
    fn columns(&mut self) -> Vec<AnswerColumn>;

    /// Number type of the items; of complex ones, that of their parts.
    fn numbers(&self) -> String;

    /// Whether integers of the statistics are unsigned.
    fn is_unsigned(&self) -> bool;
}

impl Gathering for Reduction {
    fn is_full(&self) -> bool {
        self.is_full()
    }

    fn skip(&mut self, _: &[Bounds]) -> Result<bool> {
        Ok(false)
    }

    fn put(&mut self, bounds: &[(u64, u64)], items: BoxItems<'_>) -> Result<()> {
        self.put(bounds, items);
        Ok(())
    }

    fn job(&self, place: ChunkBox<'_>) -> Option<Vec<u8>> {
        self.job(place)
    }

    fn put_reduced(&mut self, bounds: &[(u64, u64)], packed: &[u8]) -> Result<()> {
        self.put_reduced(bounds, packed)
    }

    fn columns(&mut self) -> Vec<AnswerColumn> {
        Self::columns(self)
    }

    fn numbers(&self) -> String {
        self.numeric().to_string()
    }

    fn is_unsigned(&self) -> bool {
        self.is_unsigned()
    }
}

impl Gathering for ZonalReduction {
    fn is_full(&self) -> bool {
        self.is_full()
    }

    fn skip(&mut self, boxes: &[Bounds]) -> Result<bool> {
        self.skip(boxes)
    }

    fn put(&mut self, bounds: &[(u64, u64)], items: BoxItems<'_>) -> Result<()> {
        self.put(bounds, items)
    }

    /// None: the shares of features in a chunk's cells stay here, which may be as many numbers as its items.
    fn job(&self, _: ChunkBox<'_>) -> Option<Vec<u8>> {
        None
    }

    fn put_reduced(&mut self, _: &[(u64, u64)], _: &[u8]) -> Result<()> {
        Err(mixed())
    }

    fn columns(&mut self) -> Vec<AnswerColumn> {
        self.statistics().into_iter().map(AnswerColumn::Floats).collect()
    }

    fn numbers(&self) -> String {
        "float64".to_owned()
    }

    fn is_unsigned(&self) -> bool {
        false
    }
}
