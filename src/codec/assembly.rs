//! An array of items being put together from boxes: a band of a result, a part of one, or a shard decoded whole.
//!
//! Invariant: every box, put or filled, writes its own items and no other; once all have, every item is either
//! stored data or the fill value, whatever the memory held before.

use std::borrow::Cow;
use std::ops::Range;

use super::copy::{Loop, Walk, copy, each_item, fill};
use super::decoded::Decoded;
use super::memory::{make_room, to_memory};
use crate::error::{Error, Result};
use crate::grid::{Picks, Wanted};
use crate::metadata::{DataType, REFERENCE_BYTES};

/// Items in C order in the making.
#[derive(Debug)]
pub struct Assembly {
    items: Vec<u8>,
    /// What references point into, where items have any length; it starts with the fill value's content.
    heap: Vec<u8>,
    /// Bytes from one item to the next along each axis; 0 for an axis that is dropped.
    strides: Vec<usize>,
    /// One item that holds the fill value.
    fill: Vec<u8>,
    is_variable: bool,
    /// Bytes into a chunk's item at which ours begins.
    offset: usize,
    /// Bytes of the whole result that come before ours.
    before: usize,
    /// Whether the memory is zeros where nothing was put.
    is_clean: bool,
}

impl Assembly {
    /// Memory for items of these lengths along each axis; `None` for an axis of one that is dropped.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where it is more than this machine can hold.
    pub fn new(
        lengths: impl DoubleEndedIterator<Item = Option<u64>>,
        data_type: &DataType,
        fill_value: &[u8],
    ) -> Result<Self> {
        Self::reusing(Vec::new(), lengths, data_type, fill_value)
    }

    /// The same in memory that something else was put together in before.
    ///
    /// # Errors
    /// As [`Assembly::new`].
    pub fn reusing(
        mut items: Vec<u8>,
        lengths: impl DoubleEndedIterator<Item = Option<u64>>,
        data_type: &DataType,
        fill_value: &[u8],
    ) -> Result<Self> {
        let mut strides = Vec::new();
        let mut size = data_type.item_size() as u64;
        for length in lengths.rev() {
            // An axis of an empty array may have any length; its stride is never used.
            strides.push(length.map_or(0, |_| to_memory(size).unwrap_or(0)));
            size = size.saturating_mul(length.unwrap_or(1));
        }
        strides.reverse();
        let is_variable = data_type.is_variable();
        let (heap, fill) = if is_variable {
            (fill_value.to_vec(), reference(0, fill_value.len())?)
        } else {
            (Vec::new(), fill_value.to_vec())
        };
        let (size, is_clean) = (to_memory(size)?, items.is_empty());
        let more = size.saturating_sub(items.len());
        make_room(&mut items, more)?;
        items.resize(size, 0);
        Ok(Self { items, heap, strides, fill, is_variable, offset: 0, before: 0, is_clean })
    }

    /// The same for a field of the chunks' items, which begins there.
    #[must_use]
    pub fn of_field(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// The same for what comes after so many bytes of a larger result, as whose positions ours count.
    #[must_use]
    pub fn after(self, before: usize) -> Self {
        Self { before, ..self }
    }

    /// Puts what is wanted of a chunk in its place, or the fill value where there is no chunk.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the content of items of any length passes 4 GiB.
    pub fn put(&mut self, wanted: &Wanted, chunk: Option<&Decoded<'_>>) -> Result<()> {
        let Some(chunk) = chunk else {
            if !self.is_clean || self.fill.iter().any(|&byte| byte != 0) {
                let walk = self.walk(wanted, &[]);
                fill(&self.fill, &mut self.items, walk);
            }
            return Ok(());
        };
        if self.is_variable {
            return self.adopt(wanted, chunk);
        }
        let mut walk = self.walk(wanted, &chunk.strides);
        walk.source += self.offset;
        copy(&chunk.bytes, &mut self.items, self.fill.len(), walk);
        Ok(())
    }

    /// Bytes that the items refer to so far.
    pub(super) fn content_size(&self) -> usize {
        self.heap.len()
    }

    /// The items as they are, and their bytes in the whole result.
    #[must_use]
    pub fn placed(&self) -> (&[u8], Range<usize>) {
        (&self.items, self.before..self.before + self.items.len())
    }

    /// The memory that the items are in.
    #[must_use]
    pub fn into_items(self) -> Vec<u8> {
        self.items
    }

    /// The finished array.
    #[must_use]
    pub fn into_decoded(self) -> Decoded<'static> {
        Decoded { bytes: Cow::Owned(self.items), strides: self.strides, heap: Cow::Owned(self.heap) }
    }

    /// Puts references in their places, and what they refer to in our heap: all that the chunk has where nearly all
    /// of it is wanted, and item by item where little is.
    fn adopt(&mut self, wanted: &Wanted, chunk: &Decoded<'_>) -> Result<()> {
        let stored = |from: usize| -> Range<usize> {
            let [start, length] = [0, 4].map(|part| number(&chunk.bytes[from + part..]));
            start..start.saturating_add(length)
        };
        let mut content = 0usize;
        let walk = self.walk(wanted, &chunk.strides);
        each_item(walk, REFERENCE_BYTES, &mut |from, _| content = content.saturating_add(stored(from).len()));
        // Items may share their content, and then refer to more than there is.
        let all = content >= chunk.heap.len();
        let base = self.heap.len();
        let more = content.min(chunk.heap.len());
        let total = base.checked_add(more).filter(|&total| u32::try_from(total).is_ok());
        if total.is_none() || self.heap.try_reserve(more).is_err() {
            return Err(Error::Unsupported {
                feature: "a result with more than 4 GiB of text or bytes".to_owned(),
                reason: "select less at once".to_owned(),
            });
        }
        if all {
            self.heap.extend_from_slice(&chunk.heap);
        }
        let walk = self.walk(wanted, &chunk.strides);
        let (items, heap) = (&mut self.items, &mut self.heap);
        each_item(walk, REFERENCE_BYTES, &mut |from, to| {
            let old = stored(from);
            let start = if all { base + old.start } else { heap.len() };
            if !all {
                heap.extend_from_slice(&chunk.heap[old.clone()]);
            }
            // Both fit, as all of the heap does.
            let [start, length] = [start, old.len()].map(|part| u32::try_from(part).unwrap_or(u32::MAX));
            items[to..to + 4].copy_from_slice(&start.to_le_bytes());
            items[to + 4..to + REFERENCE_BYTES].copy_from_slice(&length.to_le_bytes());
        });
        Ok(())
    }

    /// How to walk the wanted items in the chunk and in the output. Without a chunk there are no strides of it.
    fn walk(&self, wanted: &Wanted, chunk_strides: &[usize]) -> Walk {
        let mut walk = Walk::default();
        match wanted {
            Wanted::Axes(axes) => {
                let chunk_strides = chunk_strides.iter().copied().chain(std::iter::repeat(0));
                for ((picks, source), &target) in axes.iter().zip(chunk_strides).zip(&self.strides) {
                    walk.along(picks, source, target);
                }
            }
            Wanted::Points(points) => {
                let stride = self.strides.first().copied().unwrap_or_default();
                let pairs = points.offsets(chunk_strides).map(|(source, nth)| (source, nth * stride));
                walk.loops.push(Loop::List(pairs.collect()));
            }
        }
        walk.target = walk.target.wrapping_sub(self.before);
        walk
    }
}

impl Walk {
    /// Goes along one more axis, inside the others, of these bytes from one item to the next on either side.
    fn along(&mut self, picks: &Picks, source: usize, target: usize) {
        match picks {
            Picks::Run { first, step, count, output, reversed } => {
                self.source += index(*first) * source;
                self.target += index(*output) * target;
                // A step with one pick is never taken, and may be larger than memory.
                let step = if *count == 1 { 0 } else { index(*step) };
                let target = target.cast_signed();
                let target = if *reversed { -target } else { target };
                self.loops.push(Loop::Run { count: index(*count), source: source * step, target });
            }
            Picks::List(list) => {
                let pairs =
                    list.picks().map(|pick| (index(pick.coordinate) * source, index(pick.output) * target));
                self.loops.push(Loop::List(pairs.collect()));
            }
        }
    }
}

/// Half of a reference, of which the caller knows that it is there.
fn number(bytes: &[u8]) -> usize {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

/// An item that refers to a place in the heap.
fn reference(start: usize, length: usize) -> Result<Vec<u8>> {
    let part = |value: usize| {
        u32::try_from(value).map(u32::to_le_bytes).map_err(|_| Error::Unsupported {
            feature: "an item of more than 4 GiB".to_owned(),
            reason: "references into text and bytes have 32 bits".to_owned(),
        })
    };
    Ok([part(start)?, part(length)?].concat())
}

/// A position inside a chunk or an output that is in memory already, and so fits.
fn index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
