//! Cache admission: which chunks a read leaves in the cache, as stored bytes or decoded.
//!
//! The stored bytes are kept by reference, which costs no copy, and they are the smaller. Decoded chunks are copies, which
//! pay where the codec is slower than a copy by far, and where the chunk is used again.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::grid::{Axis, ChunkGrid, ChunkSelection};
use crate::read::array::Array;
use crate::read::plan::Plan;
use crate::read::tasks::task::Task;

/// Decoded bytes a microsecond from which on a codec counts as fast: decoding again takes no longer than three copies.
const FAST: u64 = 2000;

/// Chunks whose first use is remembered: 2^13, 64 KiB of hashes.
const GHOSTS: usize = 1 << 13;

/// The form in which a chunk is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Not at all.
    Not,
    /// As the store gave it.
    Stored,
    /// As its items.
    Decoded,
}

/// The chunks that one read may leave in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Nothing: the read meets more than the cache holds, and would push out everything, its own chunks too.
    Nothing,
    /// Stored bytes alone: decoded chunks of the read would take more than half of the cache.
    Stored,
    /// Chunks in the form that is worth it.
    Chunks,
    /// Decoded chunks at their first use: the read is a prefetch, made for the next one.
    Prefetched,
}

impl Admission {
    /// The admission of a read, by what it meets and the cache's limit in bytes.
    #[must_use]
    pub fn of_read(plan: &Plan<'_>, limit: usize) -> Self {
        let (met, limit) = (plan.met_bytes(), limit as u64);
        match met {
            _ if met > limit => Self::Nothing,
            _ if met > limit / 2 => Self::Stored,
            _ => Self::Chunks,
        }
    }

    /// Whether chunks are looked for in the cache, and left there.
    #[must_use]
    pub fn keeps(self) -> bool {
        self != Self::Nothing
    }

    /// The form in which a task's chunk is kept; `is_second` says that it was used before.
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
    /// Whether only some of a task's chunk is wanted.
    fn takes_part(&self, task: &Task) -> bool {
        task.wanted.count() < task.chunk_shape.iter().fold(1, |items: u64, &edge| items.saturating_mul(edge))
    }
}

impl Plan<'_> {
    /// Bytes of all chunks that the selection meets, decoded; an upper bound that saturates at `u64::MAX`.
    #[must_use]
    pub fn met_bytes(&self) -> u64 {
        let met = |(_, array, wanted): &(usize, &Array, ChunkSelection)| {
            let grid = array.read_grid();
            let chunks = wanted.chunks(grid).saturating_mul(array.largest_chunk());
            met_items(wanted, grid).map_or(chunks, |items| {
                chunks.min(items.saturating_mul(array.metadata.data_type.item_size() as u64))
            })
        };
        self.shares().iter().map(met).fold(0, u64::saturating_add)
    }
}

/// Items of the box of chunks around all picks; nothing for points.
fn met_items(wanted: &ChunkSelection, grid: &ChunkGrid) -> Option<u64> {
    let ChunkSelection::Axes(picks) = wanted else { return None };
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

/// Chunks that were used once, by hash, where the cache keeps nothing else of them. Two of one place in the table displace
/// each other: then one is kept a use later.
#[derive(Debug, Default)]
pub struct Ghosts(Vec<u64>);

impl Ghosts {
    /// Records a use; whether there was one before.
    pub fn is_second_use(&mut self, key: &[u64]) -> bool {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        self.0.resize(GHOSTS, 0);
        let place = hash as usize % GHOSTS;
        std::mem::replace(&mut self.0[place], hash) == hash
    }
}
