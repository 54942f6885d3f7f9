//! The cache and rows of small chunks: each chunk of a row has an entry of its own.

use std::rc::Rc;

use super::array_source::ArraySource;
use super::caches::Cached;
use super::row_flight::chunk_key;
use crate::js::stores::batch_values::Values;
use crate::js::stores::readable_source::StoredBytes;
use crate::read::{Admission, Kept, Task};

impl ArraySource {
    /// Whether the cache holds a chunk of a row.
    pub(crate) fn has_of_row(&self, row: &Task) -> bool {
        if self.cache.is_empty() {
            return false;
        }
        let key = self.identity(row);
        (0..row.chunks).any(|nth| self.cache.get(&chunk_key(&key, nth)).is_some())
    }

    /// Whether the chunks of a row may be decoded together: the cache keeps none of them, or keeps stored bytes.
    pub(crate) fn decodes_together(&self, row: &Task, admission: Admission) -> bool {
        admission.form(&self.array, row, false) != Kept::Decoded || !self.keeps_values(admission)
    }

    /// Keeps the stored bytes of the first chunks of a row, which have these lengths and came as the values from `nth`
    /// on.
    pub(crate) fn keep_row(
        &self,
        row: &Task,
        values: &Values,
        nth: usize,
        lengths: &[u32],
        admission: Admission,
    ) {
        if !self.keeps_values(admission) {
            return;
        }
        let key = self.identity(row);
        for (place, &length) in lengths.iter().enumerate() {
            let bytes = StoredBytes::InBatch(Rc::clone(&values.batch), nth + place, 0, length);
            self.cache.keep(&chunk_key(&key, place), Cached::Stored(bytes.kept(), length));
        }
    }
}
