//! Rows: chunks side by side along the last axis that are read alike, and taken together where each of them is small.
//!
//! Invariant: the chunks of a row differ in the last number of their coordinates, and so of their keys, and in their
//! places along the last axis of the result alone; all of them have a part in the same strips.

use super::limit::limited;
use super::task::Task;
use crate::error::Result;
use crate::grid::ChunkSelection;
use crate::output::Decoded;
use crate::read::array::{Array, pipeline_shapes};
use crate::read::plan::Plan;
use crate::source::ChunkLocation;

/// The most chunks of a row: 32, enough to make little of what is done once for each row.
const MAX_ROW: usize = 32;

/// The most bytes of a row, stored or decoded: 64 KiB, so that both stay in the cache of the processor.
pub const ROW_BYTES: u64 = 64 << 10;

impl<'a> Plan<'a> {
    /// The tasks in grid order, those of chunks side by side together as long as they decode to no more than so many
    /// bytes: only where codecs leave items as they are.
    ///
    /// As for [`Plan::tasks`], of a chunk larger than its array's limit the first bytes alone are asked for.
    pub fn rows(&self, bytes: u64) -> impl Iterator<Item = Result<Task>> + use<'a> {
        // Along the axis that strips are cut along, each chunk may lie in another one.
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
    /// The rest of a row, the array's own, after so many chunks; nothing where those are all.
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
    /// The chunks of a row, the array's own, each as a task of its own; the task itself where it is none.
    pub fn singles(&self, array: &Array) -> impl Iterator<Item = Self> {
        (0..self.chunks).filter_map(|nth| Some(Self { chunks: 1, ..self.after(array, nth)? }))
    }
}

impl Array {
    /// Chunks of a row, from the first one on, that lie in these bytes one after the other and have these lengths:
    /// decoded, one after the other too, to this memory unless they are that already. Nothing where one of them cannot
    /// be: what is wrong with it, [`Array::decode`] says.
    #[must_use]
    pub fn decode_row<'b>(
        &self,
        row: &Task,
        (encoded, lengths): (&'b [u8], &[u32]),
        memory: &'b mut Vec<u8>,
    ) -> Option<Decoded<'b>> {
        self.pipeline.decode_row(encoded, lengths, &row.chunk_shape, memory)
    }

    /// Whether its chunks can be decoded row by row.
    fn decodes_rows(&self) -> bool {
        let shape = pipeline_shapes(&self.metadata.chunk_grid).next();
        self.inner_grid.is_none() && shape.is_some_and(|shape| self.pipeline.decodes_rows(&shape))
    }
}
