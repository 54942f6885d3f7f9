//! A least-recently-used cache of values that differ in size.
//!
//! Invariant: the entries never exceed the limit, counted in bytes plus a fixed cost for each entry, so
//! that chunks known to be missing are bounded too.

use std::collections::VecDeque;

use crate::network::NumberMap;

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
    entries: NumberMap<Vec<u64>, LruEntry<T>>,
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
    /// An empty cache of at most `limit` bytes; 0 keeps nothing.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, used: 0, clock: 0, entries: NumberMap::default(), uses: VecDeque::new() }
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
    /// than the limit is not kept.
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
