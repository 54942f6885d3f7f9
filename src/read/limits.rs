//! Limits of what a read does at once: the time of its work before events and frames get their turn, and the shards
//! that it opens.
//!
//! Invariants: all reads of a thread share one time budget, because reads that are begun together run in one turn of the
//! event loop. Unless a single shard has more, the shards being opened have at most 2^16 inner chunks that the read
//! meets, so that their lists stay small however unequal the shards are.

/// Milliseconds of work in one turn. With other work of the turn, it stays within 8 ms, half a frame at 60 Hz.
const WORK_MS: f64 = 4.0;

/// Time budget of the present turn.
#[derive(Debug, Default, Clone, Copy)]
pub struct TurnBudget {
    /// Time at which the work of this turn began, in milliseconds; `None` before any.
    began: Option<f64>,
}

impl TurnBudget {
    /// Begins the budget at the first work of a turn; returns whether it was not begun before.
    pub fn begin(&mut self, now: f64) -> bool {
        let is_first = self.began.is_none();
        self.began.get_or_insert(now);
        is_first
    }

    /// Whether the work must go on in the next turn.
    #[must_use]
    pub fn is_spent(&self, now: f64) -> bool {
        self.began.is_some_and(|began| now - began >= WORK_MS)
    }
}

/// Most shards that are being opened at once, and most inner chunks of them that the read meets.
const SHARDS: u64 = 64;
const INNER_CHUNKS: u64 = 1 << 16;

/// Shards that a read is opening.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct OpeningShards {
    shards: u64,
    inner_chunks: u64,
}

impl OpeningShards {
    /// Whether a shard may be opened of which the read meets `inner_chunks`.
    #[must_use]
    pub fn has_room(&self, inner_chunks: u64) -> bool {
        let fits = self.inner_chunks.saturating_add(inner_chunks) <= INNER_CHUNKS;
        self.shards == 0 || (self.shards < SHARDS && fits)
    }

    /// Adds a shard of which the read meets `inner_chunks`.
    pub fn begin(&mut self, inner_chunks: u64) {
        self.shards += 1;
        self.inner_chunks = self.inner_chunks.saturating_add(inner_chunks);
    }

    /// Removes a shard that was added.
    pub fn end(&mut self, inner_chunks: u64) {
        self.shards = self.shards.saturating_sub(1);
        self.inner_chunks = self.inner_chunks.saturating_sub(inner_chunks);
    }
}
