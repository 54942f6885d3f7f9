//! Cache admission: which chunks a read leaves in the cache, as stored bytes or decoded.
//!
//! Stored bytes are kept by reference, without a copy, and are smaller. Decoded chunks are copies; they pay off where
//! the codec is much slower than a copy, and the chunk is used again.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::grid::{Axis, ChunkGrid, ChunkSelection};
use crate::read::array::Array;
use crate::read::plan::Plan;
use crate::read::tasks::task::Task;

/// Lowest rate of a fast codec, in decoded bytes per microsecond: decoding again costs at most three copies.
const FAST: u64 = 2000;

/// Number of chunks whose first use is remembered: 2^13, which takes 64 KiB of hashes.
const GHOSTS: usize = 1 << 13;

/// Form in which a chunk is kept in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Not at all.
    Not,
    /// As stored bytes.
    Stored,
    /// As decoded items.
    Decoded,
}

/// Admission of one read's chunks to the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// No chunks: the read meets more bytes than the cache holds, and would evict everything, its own chunks too.
    Nothing,
    /// Stored bytes only: decoded chunks of the read would take more than half of the cache.
    Stored,
    /// Each chunk in the form that pays off.
    Chunks,
    /// Decoded chunks at their first use: the read is a prefetch.
    Prefetched,
}

impl Admission {
    /// Decides the admission of a read from the decoded bytes that it meets and the cache's limit in bytes. Fewer
    /// chunks are kept for stores that answer synchronously, because reading from them again is cheap.
    #[must_use]
    pub fn of_read(plan: &Plan<'_>, limit: usize, answers_at_once: bool) -> Self {
        let (met, limit) = (plan.met_bytes(), limit as u64);
        match met {
            _ if met > limit => Self::Nothing,
            _ if met > limit / 2 && answers_at_once => Self::Nothing,
            _ if met > limit / 2 => Self::Stored,
            _ => Self::Chunks,
        }
    }

    /// Whether the read uses the cache at all.
    #[must_use]
    pub fn keeps(self) -> bool {
        self != Self::Nothing
    }

    /// Form in which a task's chunk is kept; `is_second` means that it was used before.
    #[must_use]
    pub fn form(self, array: &Array, task: &Task, is_second: bool) -> Kept {
        let is_fast = array.task_pipeline(task).decoded_rate() >= FAST;
        match self {
            Self::Nothing => Kept::Not,
            Self::Prefetched if !is_fast => Kept::Decoded,
            Self::Chunks if !is_fast && (is_second || array.takes_part(task)) => Kept::Decoded,
            _ => Kept::Stored,
        }
    }
}

impl Array {
    /// Whether a task selects only a part of its chunk.
    fn takes_part(&self, task: &Task) -> bool {
        task.selection.count()
            < task.chunk_shape.iter().fold(1, |items: u64, &edge| items.saturating_mul(edge))
    }
}

impl Plan<'_> {
    /// Decoded bytes of all chunks that the selection meets; an upper bound that saturates at `u64::MAX`.
    #[must_use]
    pub fn met_bytes(&self) -> u64 {
        let met = |(_, array, selection): &(usize, &Array, ChunkSelection)| {
            let grid = array.read_grid();
            let chunks = selection.chunks(grid).saturating_mul(array.largest_chunk());
            met_items(selection, grid).map_or(chunks, |items| {
                chunks.min(items.saturating_mul(array.metadata.data_type.item_size() as u64))
            })
        };
        self.shares().iter().map(met).fold(0, u64::saturating_add)
    }
}

/// Items of the box of chunks around the selection; `None` for points.
fn met_items(selection: &ChunkSelection, grid: &ChunkGrid) -> Option<u64> {
    let ChunkSelection::Axes(picks) = selection else { return None };
    let along = |axis: &Axis, lowest: u64, reach: u64| {
        let (first, last) = (axis.span_at(lowest)?, axis.span_at(lowest.saturating_add(reach))?);
        Some((last.start - first.start).saturating_add(last.encoded))
    };
    picks.iter().zip(grid.axes()).try_fold(1u64, |items, (picks, axis)| {
        let met = match picks.lowest() {
            Some(lowest) => along(axis, lowest, picks.reach())?,
            None => 0,
        };
        Some(items.saturating_mul(met))
    })
}

/// Ghost list: hashes of chunks that were used once and are not in the cache. Two chunks with the same slot in the
/// table replace each other, so one of them is admitted a use later.
#[derive(Debug, Default)]
pub struct Ghosts(Vec<u64>);

impl Ghosts {
    /// Records a use, and returns whether there was one before.
    pub fn is_second_use(&mut self, key: &[u64]) -> bool {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        self.0.resize(GHOSTS, 0);
        let place = hash as usize % GHOSTS;
        std::mem::replace(&mut self.0[place], hash) == hash
    }
}
