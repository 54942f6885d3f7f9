//! The index of a shard: the offset and the length of each inner chunk, in C order.
//!
//! Invariants of a decoded index: two inner chunks share all of their bytes or none. (Some writers store equal chunks
//! once.) No inner chunk overlaps an index at the start. Overlap with an index at the end is checked once the shard's
//! length is known.

use std::ops::Range;

use crate::error::{Error, Result};

const NAME: &str = "sharding_indexed";

/// Value of both the offset and the length of an inner chunk that is not stored.
const EMPTY: u64 = u64::MAX;

/// Bytes of an index entry.
const ENTRY: usize = 16;

/// A shard's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardIndex {
    entries: Vec<u8>,
    /// Number of inner chunks along each axis.
    grid_shape: Vec<u64>,
    /// Bytes of the encoded index before and after the inner chunks; one of the two is 0.
    before: u64,
    after: u64,
    /// Whether no inner chunk is stored.
    is_empty: bool,
}

impl ShardIndex {
    /// Checks the entries of an index whose encoded form takes `size` bytes at the start or the end of the shard.
    ///
    /// # Errors
    /// [`Error::Codec`] where inner chunks overlap the index, or each other in part.
    pub(crate) fn new(entries: Vec<u8>, grid_shape: Vec<u64>, size: u64, is_at_start: bool) -> Result<Self> {
        let (before, after) = if is_at_start { (size, 0) } else { (0, size) };
        let is_empty = entries.iter().all(|&byte| byte == u8::MAX);
        let index = Self { entries, grid_shape, before, after, is_empty };
        index.check_overlaps()?;
        Ok(index)
    }

    /// Bytes that the index takes in memory.
    #[must_use]
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    /// Whether no inner chunk is stored, so that the shard reads as a missing one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Byte range of an inner chunk in its shard; `None` where the chunk is not stored.
    ///
    /// # Errors
    /// [`Error::Codec`] where the range is outside of a shard of this length, or overlaps its index.
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
                    None => "a range within the shard".to_owned(),
                    Some(all) if self.after > 0 => {
                        format!("a range within the shard's {all} bytes, before the index")
                    }
                    Some(all) => format!("a range within the shard's {all} bytes"),
                };
                Err(Error::codec(NAME, self.described(nth), expected))
            }
        }
    }

    /// Checks that no inner chunk overlaps the index at the start or another inner chunk in part.
    ///
    /// The check takes four bytes of memory for each inner chunk, and sorts them only where they are not in C order.
    fn check_overlaps(&self) -> Result<()> {
        let count = self.entries.len() / ENTRY;
        let mut stored: Vec<u32> = Vec::new();
        stored.try_reserve_exact(count).map_err(|_| Error::Unsupported {
            feature: format!("a shard of {count} inner chunks"),
            reason: "there is not enough memory for its index".to_owned(),
        })?;
        // A chunk of 0 bytes overlaps nothing; decoding it fails.
        let numbers = 0..u32::try_from(count).unwrap_or(u32::MAX);
        stored.extend(numbers.filter(|&nth| !matches!(self.entry(nth as usize), (EMPTY, EMPTY) | (_, 0))));
        let start = |&nth: &u32| self.entry(nth as usize).0;
        // Sorting by offset and length brings chunks with equal ranges together.
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

    /// Offset and length of an inner chunk, in bytes.
    fn entry(&self, nth: usize) -> (u64, u64) {
        let numbers = self.entries[nth * ENTRY..].as_chunks().0;
        (u64::from_le_bytes(numbers[0]), u64::from_le_bytes(numbers[1]))
    }

    /// Describes an inner chunk and its range in an error.
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
