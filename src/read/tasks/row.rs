//! Rows: small neighbouring chunks along the last axis with equal selections, read and decoded together.
//!
//! Invariant: the chunks of a row differ only in the last number of their coordinates and keys, and in their places
//! along the last axis of the output; all of them meet the same strips.

use super::limit::limited;
use super::task::{ChunkLocation, Task};
use crate::error::Result;
use crate::grid::ChunkSelection;
use crate::output::Decoded;
use crate::read::array::Array;
use crate::read::plan::Plan;

/// Maximum number of chunks in a row: 32, enough to make the work for each row small beside that for its chunks.
const MAX_ROW: usize = 32;

/// Maximum size of a row, stored and decoded: 64 KiB, so that both stay in the processor's cache.
pub const ROW_BYTES: u64 = 64 << 10;

impl<'a> Plan<'a> {
    /// The tasks in grid order. Neighbouring chunks share a task as long as they decode to at most `bytes` bytes, where
    /// no codec changes their items.
    ///
    /// As for [`Plan::tasks`], only the first bytes of a chunk larger than its array's limit are requested.
    pub fn rows(&self, bytes: u64) -> impl Iterator<Item = Result<Task>> + use<'a> {
        // Chunks that follow one another along the axis of the strips may lie in different strips.
        let lengths = self.lengths();
        let is_across = lengths.iter().position(Option::is_some) != lengths.len().checked_sub(1);
        let bytes = if is_across { bytes } else { 0 };
        let begun = move |(number, array, selection): (usize, &'a Array, ChunkSelection)| {
            let largest = array.largest_chunk();
            let are_taken = bytes > 0 && largest <= array.max_chunk_bytes && array.decodes_rows();
            let most = if are_taken { bytes / largest.max(1) } else { 1 };
            let most = usize::try_from(most).map_or(MAX_ROW, |most| most.clamp(1, MAX_ROW));
            (number, array, selection.rows(&array.metadata.chunk_grid, most))
        };
        let mut shares = self.shares().into_iter();
        let mut here = shares.next().map(begun);
        std::iter::from_fn(move || {
            loop {
                let (number, array, rows) = here.as_mut()?;
                if let Some(part) = rows.next() {
                    let request = array.keys.chunk(&part.coords);
                    return Some(limited(array, Task::new(*number, part, ChunkLocation::Stored(request))));
                }
                here = shares.next().map(begun);
            }
        })
    }
}

impl Task {
    /// Rest of a row of this array after its first `chunks` chunks; `None` where none is left.
    #[must_use]
    pub fn after(&self, array: &Array, chunks: usize) -> Option<Self> {
        if chunks == 0 {
            return Some(self.clone());
        }
        let left = self.chunks.checked_sub(chunks).filter(|&left| left > 0)?;
        let mut task = Self { chunks: left, ..self.clone() };
        if let (Some(last), ChunkSelection::Axes(axes)) = (task.coords.last_mut(), &mut task.selection)
            && let Some(picks) = axes.last_mut()
        {
            *last += chunks as u64;
            *picks = picks.further(chunks as u64);
        }
        task.location = ChunkLocation::Stored(array.keys.chunk(&task.coords));
        Some(task)
    }
}

impl Task {
    /// The chunks of a row of this array, each as a task of its own; a single chunk's task stays as it is.
    pub fn singles(&self, array: &Array) -> impl Iterator<Item = Self> {
        (0..self.chunks).filter_map(|nth| Some(Self { chunks: 1, ..self.after(array, nth)? }))
    }
}

impl Array {
    /// Decodes chunks of a row, from its first one on, that lie one after the other in `encoded` and have these lengths
    /// in bytes. The items are decoded to `memory`, or borrowed from `encoded` where they are stored uncompressed.
    ///
    /// `None` where a chunk cannot be decoded: [`Array::decode`] gives its error.
    #[must_use]
    pub fn decode_row<'b>(
        &self,
        row: &Task,
        (encoded, lengths): (&'b [u8], &[u32]),
        memory: &'b mut Vec<u8>,
    ) -> Option<Decoded<'b>> {
        self.pipeline.decode_row(encoded, lengths, &row.chunk_shape, memory)
    }

    /// Whether the array's chunks can be decoded row by row.
    fn decodes_rows(&self) -> bool {
        let shape = self.metadata.chunk_grid.chunk_shapes().next();
        self.inner_grid.is_none() && shape.is_some_and(|shape| self.pipeline.decodes_rows(&shape))
    }
}
