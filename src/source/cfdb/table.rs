//! Which buckets are known, and where blocks begin: from single buckets that were looked at, or from the whole table.
//!
//! Invariant: the table costs one request and is taken once as many single ones have cost as much, so no more than
//! twice the better of the two plans is spent.

use std::collections::BTreeSet;
use std::ops::Range;

use super::header::{Header, number};

/// The bytes that cost as much as a request of few: 16 KiB, with which cfdb's usual table of 864 kB costs 53.
const REQUEST_WORTH: u64 = 16 << 10;

/// The longest table that is taken: 16 MiB, of 2.7 million buckets. Of a longer one buckets are always looked at singly.
const LONGEST_TABLE: u64 = 16 << 20;

/// The most buckets and blocks that are kept in mind: 2^20, beyond which all are forgotten and found anew.
pub(super) const MOST_KNOWN: usize = 1 << 20;

/// The index's bucket table, as far as it is known.
pub(super) struct BucketTable {
    header: Header,
    /// All buckets, as they stand in the file.
    whole: Option<Vec<u8>>,
    /// How many single buckets were asked for.
    asked: u64,
    /// Where blocks begin, and the index.
    starts: BTreeSet<u64>,
}

impl BucketTable {
    pub(super) fn new(header: Header) -> Self {
        let mut table = Self { header, whole: None, asked: 0, starts: BTreeSet::new() };
        table.note(header.index);
        table
    }

    /// Where the chain of a bucket begins, if the table was taken: 0 or 1 for an empty one.
    pub(super) fn chain(&self, bucket: u64) -> Option<u64> {
        let at = usize::try_from(bucket * Header::OFFSET).ok()?;
        Some(self.whole.as_ref()?.get(at..)?.get(..6).map_or(0, number))
    }

    /// The bytes to be told for a bucket that nobody asked for: its own, or those of all.
    pub(super) fn wanted(&mut self, bucket: u64) -> Range<u64> {
        let all = self.range();
        let length = all.end - all.start;
        if length <= LONGEST_TABLE && (self.asked + 1) * REQUEST_WORTH > length {
            return all;
        }
        self.asked += 1;
        let start = all.start + bucket * Header::OFFSET;
        start..start + Header::OFFSET
    }

    /// Where the table is.
    pub(super) fn range(&self) -> Range<u64> {
        let Header { index, buckets, .. } = self.header;
        index..index + buckets * Header::OFFSET
    }

    /// Tells all buckets.
    pub(super) fn tell_all(&mut self, bytes: &[u8]) {
        self.whole = None;
        bytes.as_chunks::<6>().0.iter().for_each(|place| self.note(number(place)));
        self.whole = Some(bytes.to_vec());
    }

    /// Notes that a block begins at a place.
    pub(super) fn note(&mut self, place: u64) {
        if self.whole.is_none() && self.starts.len() >= MOST_KNOWN {
            self.starts.clear();
            self.starts.insert(self.header.index);
        }
        if place > 1 {
            self.starts.insert(place);
        }
    }

    /// The next place behind another one at which something else is known to begin.
    pub(super) fn next(&self, place: u64) -> Option<u64> {
        self.starts.range(place + 1..).next().copied()
    }

    /// Whether most blocks are known.
    pub(super) fn is_whole(&self) -> bool {
        self.whole.is_some()
    }
}
