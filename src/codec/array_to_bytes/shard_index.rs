//! The index of a shard: the offset and the length of each inner chunk, in C order.
//!
//! Invariant: once it is decoded, two inner chunks share all of their bytes, as writers that store equal ones once leave
//! them, or none; none reaches into an index at the start, and none into one at the end once the shard's length is known.

use std::ops::Range;

use crate::error::{Error, Result};

pub(crate) const NAME: &str = "sharding_indexed";

/// Offset and length of an inner chunk that is missing, as the index has them.
const EMPTY: u64 = u64::MAX;

/// Bytes of an entry.
const ENTRY: usize = 16;

/// A shard's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardIndex {
    entries: Vec<u8>,
    /// Inner chunks along each axis.
    grid_shape: Vec<u64>,
    /// Bytes of the index in the shard, before the inner chunks and after them: one of the two is 0.
    before: u64,
    after: u64,
}

impl ShardIndex {
    /// An index that takes so many bytes of the shard, at its start or at its end.
    ///
    /// # Errors
    /// [`Error::Codec`] where inner chunks overlap each other in part, or the index.
    pub(crate) fn new(entries: Vec<u8>, grid_shape: Vec<u64>, size: u64, is_at_start: bool) -> Result<Self> {
        let (before, after) = if is_at_start { (size, 0) } else { (0, size) };
        let index = Self { entries, grid_shape, before, after };
        index.check_overlaps()?;
        Ok(index)
    }

    /// Bytes that it takes in memory.
    #[must_use]
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    /// Where an inner chunk lies in its shard, or nothing where it is not stored.
    ///
    /// # Errors
    /// [`Error::Codec`] where it would lie outside of a shard whose length is known, or in its index.
    pub fn locate(&self, coords: &[u64], length: Option<u64>) -> Result<Option<Range<u64>>> {
        let nth = coords.iter().zip(&self.grid_shape).fold(0, |nth, (at, count)| nth * count + at);
        let found = usize::try_from(nth).ok().filter(|&nth| nth < self.entries.len() / ENTRY);
        let Some(nth) = found else {
            return Err(Error::codec(
                NAME,
                "an index without this chunk",
                format!("an entry for {coords:?}"),
            ));
        };
        let (offset, bytes) = self.entry(nth);
        if offset == EMPTY && bytes == EMPTY {
            return Ok(None);
        }
        let range = offset.checked_add(bytes).map(|stop| offset..stop);
        let body = length.map(|length| length.saturating_sub(self.after));
        match range.filter(|range| body.is_none_or(|body| range.end <= body)) {
            Some(range) => Ok(Some(range)),
            None => {
                let expected = match length {
                    None => "a place in the shard".to_owned(),
                    Some(all) if self.after > 0 => format!("a place in its {all} bytes, before the index"),
                    Some(all) => format!("a place in its {all} bytes"),
                };
                Err(Error::codec(NAME, self.described(nth), expected))
            }
        }
    }

    /// Checks that no two inner chunks overlap in part: with four bytes of memory for each, and sorted only where they do
    /// not lie in C order.
    fn check_overlaps(&self) -> Result<()> {
        let count = self.entries.len() / ENTRY;
        let mut stored: Vec<u32> = Vec::new();
        stored.try_reserve_exact(count).map_err(|_| Error::Unsupported {
            feature: format!("a shard of {count} inner chunks"),
            reason: "there is not enough memory for it".to_owned(),
        })?;
        // One of no bytes overlaps nothing, and fails to decode.
        let numbers = 0..u32::try_from(count).unwrap_or(u32::MAX);
        stored.extend(numbers.filter(|&nth| !matches!(self.entry(nth as usize), (EMPTY, EMPTY) | (_, 0))));
        let start = |&nth: &u32| self.entry(nth as usize).0;
        // Those of one place come one after the other.
        let place = |&nth: &u32| self.entry(nth as usize);
        if !stored.is_sorted_by_key(place) {
            stored.sort_unstable_by_key(place);
        }
        if let Some(&first) = stored.first().filter(|&first| start(first) < self.before) {
            let got = format!("{} in an index of {} bytes", self.described(first as usize), self.before);
            return Err(Error::codec(NAME, got, "inner chunks after the index"));
        }
        let overlap = stored.windows(2).find(|pair| {
            let (offset, bytes) = place(&pair[0]);
            offset.saturating_add(bytes) > start(&pair[1]) && place(&pair[0]) != place(&pair[1])
        });
        let Some(pair) = overlap else { return Ok(()) };
        let [one, other] = [pair[0], pair[1]].map(|nth| self.described(nth as usize));
        let expected = "inner chunks that do not overlap, or share all of their bytes";
        Err(Error::codec(NAME, format!("{one} and {other}"), expected))
    }

    /// Offset and length.
    fn entry(&self, nth: usize) -> (u64, u64) {
        let numbers = self.entries[nth * ENTRY..].as_chunks().0;
        (u64::from_le_bytes(numbers[0]), u64::from_le_bytes(numbers[1]))
    }

    /// An inner chunk and its place, in words.
    fn described(&self, nth: usize) -> String {
        let (offset, bytes) = self.entry(nth);
        let mut coords = vec![0; self.grid_shape.len()];
        let mut rest = nth as u64;
        for (at, count) in coords.iter_mut().zip(&self.grid_shape).rev() {
            (*at, rest) = (rest % count, rest / count);
        }
        format!("inner chunk {coords:?} at byte {offset} with {bytes} bytes")
    }
}
