//! Known buckets and block offsets, from single buckets or from the whole table.
//!
//! Invariant: the whole table is requested once the requests for single buckets have cost as much as it does, so the
//! total cost is at most twice that of the better plan.

use std::collections::BTreeSet;
use std::ops::Range;

use super::header::{Header, number};

/// Bytes that cost as much as one small request: 16 KiB. cfdb's usual table of 864 kB then costs 53 requests.
const REQUEST_WORTH: u64 = 16 << 10;

/// Longest table that is requested whole: 16 MiB, or 2.7 million buckets. Buckets of a longer one are requested singly.
const LONGEST_TABLE: u64 = 16 << 20;

/// Most buckets and blocks that are remembered: 2^20. Beyond that, all are forgotten and requested again when needed.
pub(super) const MOST_KNOWN: usize = 1 << 20;

/// The part of the bucket table that is known so far.
pub(super) struct BucketTable {
    header: Header,
    /// Bytes of the whole table, once it is provided.
    whole: Option<Vec<u8>>,
    /// Number of single buckets requested so far.
    asked: u64,
    /// Known offsets at which blocks or the index begin.
    starts: BTreeSet<u64>,
}

impl BucketTable {
    pub(super) fn new(header: Header) -> Self {
        let mut table = Self { header, whole: None, asked: 0, starts: BTreeSet::new() };
        table.note(header.index);
        table
    }

    /// Offset of the first block of a bucket's chain, 0 or 1 for an empty one; `None` before the table is provided.
    pub(super) fn chain(&self, bucket: u64) -> Option<u64> {
        let at = usize::try_from(bucket * Header::OFFSET).ok()?;
        Some(self.whole.as_ref()?.get(at..)?.get(..6).map_or(0, number))
    }

    /// Byte range to request for an unknown bucket: its own, or the whole table.
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

    /// Byte range of the table in the file.
    pub(super) fn range(&self) -> Range<u64> {
        let Header { index, buckets, .. } = self.header;
        index..index + buckets * Header::OFFSET
    }

    /// Provides the whole table.
    pub(super) fn provide_all(&mut self, bytes: &[u8]) {
        self.whole = None;
        bytes.as_chunks::<6>().0.iter().for_each(|place| self.note(number(place)));
        self.whole = Some(bytes.to_vec());
    }

    /// Notes that a block begins at an offset.
    pub(super) fn note(&mut self, place: u64) {
        if self.whole.is_none() && self.starts.len() >= MOST_KNOWN {
            self.starts.clear();
            self.starts.insert(self.header.index);
        }
        if place > 1 {
            self.starts.insert(place);
        }
    }

    /// Next known offset after `place` at which a block or the index begins.
    pub(super) fn next(&self, place: u64) -> Option<u64> {
        self.starts.range(place + 1..).next().copied()
    }

    /// Whether the whole table is known, and with it the offsets of most blocks.
    pub(super) fn is_whole(&self) -> bool {
        self.whole.is_some()
    }
}
