//! Decoded chunks that were read before, least recently used out first.
//!
//! Invariant: what is kept never exceeds the limit, counted in decoded bytes plus a fixed cost for each
//! entry, so that chunks known to be missing are bounded too.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::codec::Decoded;

/// A chunk as it is kept: decoded, or known to be missing.
pub type Chunk = Rc<Option<Decoded<'static>>>;

/// What an entry costs beside its bytes.
const ENTRY: usize = 256;

/// The chunks of one array.
#[derive(Debug, Default)]
pub struct ChunkCache {
    limit: usize,
    used: usize,
    /// Counts look-ups; the time of an entry's last use.
    clock: u64,
    chunks: HashMap<Vec<u64>, (u64, Chunk)>,
    by_use: BTreeMap<u64, Vec<u64>>,
}

impl ChunkCache {
    /// A cache of so many bytes; 0 keeps nothing.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Whether anything is ever kept.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.limit > 0
    }

    /// Bytes in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    /// The chunk of these coordinates, if it is kept.
    pub fn get(&mut self, coords: &[u64]) -> Option<Chunk> {
        let (last_use, chunk) = self.chunks.get_mut(coords)?;
        let key = self.by_use.remove(last_use)?;
        self.clock += 1;
        *last_use = self.clock;
        self.by_use.insert(self.clock, key);
        Some(Rc::clone(chunk))
    }

    /// Keeps a chunk, at the cost of those that were not used for longest. One larger than the limit is not kept.
    pub fn put(&mut self, coords: &[u64], chunk: &Chunk) {
        self.remove(coords);
        let cost = cost(chunk);
        if cost > self.limit {
            return;
        }
        while self.used + cost > self.limit {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            self.remove(&oldest);
        }
        self.clock += 1;
        self.used += cost;
        self.chunks.insert(coords.to_vec(), (self.clock, Rc::clone(chunk)));
        self.by_use.insert(self.clock, coords.to_vec());
    }

    fn remove(&mut self, coords: &[u64]) {
        if let Some((last_use, chunk)) = self.chunks.remove(coords) {
            self.by_use.remove(&last_use);
            self.used -= cost(&chunk);
        }
    }
}

fn cost(chunk: &Chunk) -> usize {
    ENTRY + chunk.as_ref().as_ref().map_or(0, |decoded| decoded.bytes.len())
}
