//! Which buckets are known, and where blocks begin: from single buckets that were looked at, or from the whole table.
//!
//! Invariant: the table costs one request and is taken once as many single ones have cost as much, so no more than
//! twice the better of the two plans is spent.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::header::{Header, number};

/// The bytes that cost as much as a request of few: 16 KiB, with which cfdb's usual table of 864 kB costs 53.
const REQUEST_WORTH: u64 = 16 << 10;

/// The longest table that is taken: 16 MiB, of 2.7 million buckets. Of a longer one buckets are always looked at singly.
const LONGEST_TABLE: u64 = 16 << 20;

/// The most buckets and blocks that are kept in mind: 2^20, beyond which all are forgotten and found anew.
pub(super) const MOST_KNOWN: usize = 1 << 20;

/// What is known of the index.
pub(super) struct Table {
    header: Header,
    /// All buckets, as they stand in the file.
    whole: Option<Vec<u8>>,
    /// Single buckets; without a place those that were asked for.
    single: HashMap<u64, Option<u64>>,
    /// Where blocks begin, and the index.
    starts: BTreeSet<u64>,
}

impl Table {
    pub(super) fn new(header: Header) -> Self {
        let mut table = Self { header, whole: None, single: HashMap::new(), starts: BTreeSet::new() };
        table.note(header.index);
        table
    }

    /// Where the chain of a bucket begins: 0 or 1 for an empty one. Where that has to be told, the bytes to be told, which
    /// are of the one bucket or of all.
    pub(super) fn chain(&mut self, bucket: u64) -> Result<u64, Range<u64>> {
        if let Some(whole) = &self.whole {
            let at = usize::try_from(bucket * Header::OFFSET).unwrap_or(usize::MAX);
            return Ok(whole.get(at..).and_then(|rest| rest.get(..6)).map_or(0, number));
        }
        if let Some(Some(place)) = self.single.get(&bucket) {
            return Ok(*place);
        }
        let all = self.range();
        let spent = self.single.len() as u64 * REQUEST_WORTH;
        let length = all.end - all.start;
        if length <= LONGEST_TABLE && spent + REQUEST_WORTH > length && !self.single.contains_key(&bucket) {
            return Err(all);
        }
        if self.single.len() >= MOST_KNOWN {
            self.single.clear();
        }
        self.single.insert(bucket, None);
        let start = all.start + bucket * Header::OFFSET;
        Err(start..start + Header::OFFSET)
    }

    /// Where the table is.
    pub(super) fn range(&self) -> Range<u64> {
        let Header { index, buckets, .. } = self.header;
        index..index + buckets * Header::OFFSET
    }

    /// Tells one bucket.
    pub(super) fn tell_bucket(&mut self, bucket: u64, bytes: &[u8]) {
        let place = number(bytes);
        self.single.insert(bucket, Some(place));
        self.note(place);
    }

    /// Tells all of them.
    pub(super) fn tell_all(&mut self, bytes: &[u8]) {
        let places = bytes.as_chunks::<6>().0.iter().map(|place| number(place));
        self.starts.extend(places.filter(|place| *place > 1));
        self.single = HashMap::new();
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
