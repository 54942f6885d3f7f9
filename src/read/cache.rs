//! Things that were read before, by what identifies them, least recently used out first.
//!
//! Invariant: what is kept never exceeds the limit, counted in bytes plus a fixed cost for each entry, so
//! that chunks known to be missing are bounded too.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// What an entry costs beside its bytes.
const ENTRY: usize = 256;

/// As many uses are noted before any is left out.
const LEAST_USES: usize = 64;

/// Things that are kept.
#[derive(Debug)]
pub struct Recent<T> {
    limit: usize,
    used: usize,
    /// Counts look-ups; the time of an entry's last use.
    clock: u64,
    entries: HashMap<Vec<u64>, Entry<T>>,
    /// Every use, oldest first, those that were not the last of their entry among them.
    uses: VecDeque<(u64, Vec<u64>)>,
}

#[derive(Debug)]
struct Entry<T> {
    last_use: u64,
    cost: usize,
    thing: Rc<T>,
}

impl<T> Recent<T> {
    /// Room for so many bytes; 0 keeps nothing.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, used: 0, clock: 0, entries: HashMap::new(), uses: VecDeque::new() }
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

    /// What is kept for these coordinates.
    pub fn get(&mut self, coords: &[u64]) -> Option<Rc<T>> {
        let entry = self.entries.get_mut(coords)?;
        self.clock += 1;
        entry.last_use = self.clock;
        let thing = Rc::clone(&entry.thing);
        self.note(coords);
        Some(thing)
    }

    /// Keeps something of so many bytes, at the cost of what was not used for longest. One larger than the limit is not
    /// kept.
    pub fn put(&mut self, coords: &[u64], thing: &Rc<T>, bytes: usize) {
        self.remove(coords);
        let cost = ENTRY + bytes;
        if cost > self.limit {
            return;
        }
        while self.used + cost > self.limit {
            let Some((time, coords)) = self.uses.pop_front() else { break };
            if self.entries.get(&coords).is_some_and(|entry| entry.last_use == time) {
                self.remove(&coords);
            }
        }
        self.clock += 1;
        self.used += cost;
        let entry = Entry { last_use: self.clock, cost, thing: Rc::clone(thing) };
        self.entries.insert(coords.to_vec(), entry);
        self.note(coords);
    }

    /// Notes a use of now. Those that say nothing any more are left out once they are most.
    fn note(&mut self, coords: &[u64]) {
        if self.uses.len() > 2 * self.entries.len() + LEAST_USES {
            let entries = &self.entries;
            let is_last =
                |time, coords: &[u64]| entries.get(coords).is_some_and(|entry| entry.last_use == time);
            self.uses.retain(|(time, coords)| is_last(*time, coords));
        }
        self.uses.push_back((self.clock, coords.to_vec()));
    }

    /// Forgets all whose coordinates are such.
    pub fn remove_where(&mut self, is_such: impl Fn(&[u64]) -> bool) {
        let such: Vec<Vec<u64>> = self.entries.keys().filter(|coords| is_such(coords)).cloned().collect();
        such.iter().for_each(|coords| self.remove(coords));
    }

    /// Forgets what is kept for these coordinates.
    pub fn remove(&mut self, coords: &[u64]) {
        if let Some(entry) = self.entries.remove(coords) {
            self.used -= entry.cost;
        }
    }
}
