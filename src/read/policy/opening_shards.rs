//! Limit of the shards that a read opens at once.
//!
//! Invariant: unless a single shard has more, the shards being opened have at most 2^16 inner chunks that the read
//! meets, so that their lists stay small however unequal the shards are.

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
