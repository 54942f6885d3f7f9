//! The cache of a read: which chunks it leaves there, as stored bytes or decoded, and which one makes room.
//!
//! Stored bytes are cached by reference, without a copy, and are smaller. Decoded chunks are copies; they pay off where
//! the codec is much slower than a copy, and the chunk is used again.
//! Invariant: the entries of an [`Lru`] never exceed its limit, counted in bytes plus a fixed cost for each entry, so
//! that chunks known to be missing are bounded too.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::array::Array;
use super::plan::Plan;
use super::task::Task;

/// Lowest rate of a fast codec, in decoded bytes per microsecond: decoding again costs at most three copies.
const FAST: u64 = 2000;

/// Number of chunks whose first use is remembered: 2^13, which takes 64 KiB of hashes.
const FIRST_USES: usize = 1 << 13;

/// Form in which a chunk is cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachedForm {
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
    /// chunks are cached for stores that answer synchronously, because reading from them again is cheap.
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
    pub fn caches(self) -> bool {
        self != Self::Nothing
    }

    /// Form in which a task's chunk is cached; `is_second` means that it was used before.
    #[must_use]
    pub fn form(self, array: &Array, task: &Task, is_second: bool) -> CachedForm {
        let is_fast = array.task_pipeline(task).decoded_rate() >= FAST;
        match self {
            Self::Nothing => CachedForm::Not,
            Self::Prefetched if !is_fast => CachedForm::Decoded,
            Self::Chunks if !is_fast && (is_second || array.takes_part(task)) => CachedForm::Decoded,
            _ => CachedForm::Stored,
        }
    }
}

/// Hashes of chunks that were used once and are not in the cache. Two chunks with the same slot in the
/// table replace each other, so one of them is admitted a use later.
#[derive(Debug, Default)]
pub struct FirstUses(Vec<u64>);

impl FirstUses {
    /// Records a use, and returns whether there was one before.
    pub fn is_second_use(&mut self, key: &[u64]) -> bool {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        self.0.resize(FIRST_USES, 0);
        let place = hash as usize % FIRST_USES;
        std::mem::replace(&mut self.0[place], hash) == hash
    }
}

/// Bytes that each entry counts in addition to its value.
const ENTRY: usize = 256;

/// Least number of recorded uses before outdated ones are dropped.
const LEAST_USES: usize = 64;

/// A least-recently-used cache, keyed by numbers.
#[derive(Debug)]
pub struct Lru<T> {
    limit: usize,
    used: usize,
    /// Counter of uses, which serves as their time.
    clock: u64,
    entries: HashMap<Vec<u64>, LruEntry<T>>,
    /// All uses, oldest first; only the newest of each entry counts.
    uses: VecDeque<(u64, Vec<u64>)>,
}

#[derive(Debug)]
struct LruEntry<T> {
    last_use: u64,
    cost: usize,
    value: T,
}

impl<T: Clone> Lru<T> {
    /// An empty cache of at most `limit` bytes; 0 caches nothing.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, used: 0, clock: 0, entries: HashMap::new(), uses: VecDeque::new() }
    }

    /// Most bytes that the entries may take.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    /// Returns the value of a key, and counts a use.
    pub fn get(&mut self, key: &[u64]) -> Option<T> {
        let entry = self.entries.get_mut(key)?;
        self.clock += 1;
        entry.last_use = self.clock;
        let value = entry.value.clone();
        self.note(key);
        Some(value)
    }

    /// Sets the value of a key, of `bytes` bytes, and drops the least recently used entries as needed. A value larger
    /// than the limit is not cached.
    pub fn put(&mut self, key: &[u64], value: T, bytes: usize) {
        self.remove(key);
        let cost = ENTRY + bytes;
        if cost > self.limit {
            return;
        }
        while self.used + cost > self.limit {
            let Some((time, key)) = self.uses.pop_front() else { break };
            if self.entries.get(&key).is_some_and(|entry| entry.last_use == time) {
                self.remove(&key);
            }
        }
        self.clock += 1;
        self.used += cost;
        let entry = LruEntry { last_use: self.clock, cost, value };
        self.entries.insert(key.to_vec(), entry);
        self.note(key);
    }

    /// Records a use, and drops outdated uses once most are.
    fn note(&mut self, key: &[u64]) {
        if self.uses.len() > 2 * self.entries.len() + LEAST_USES {
            let entries = &self.entries;
            let is_last = |time, key: &[u64]| entries.get(key).is_some_and(|entry| entry.last_use == time);
            self.uses.retain(|(time, key)| is_last(*time, key));
        }
        self.uses.push_back((self.clock, key.to_vec()));
    }

    /// Drops every entry whose key meets a condition.
    pub fn remove_where(&mut self, is_such: impl Fn(&[u64]) -> bool) {
        let such: Vec<Vec<u64>> = self.entries.keys().filter(|key| is_such(key)).cloned().collect();
        such.iter().for_each(|key| self.remove(key));
    }

    /// Drops the entry of a key.
    pub fn remove(&mut self, key: &[u64]) {
        if let Some(entry) = self.entries.remove(key) {
            self.used -= entry.cost;
        }
    }
}
