//! An array of items being put together from boxes: the output of a read, or a shard decoded whole.
//!
//! Invariant: memory starts zeroed, and every box, put or filled, writes its own items and no other;
//! once all have, every item is either stored data or the fill value.

use std::borrow::Cow;

use super::copy::{Loop, Walk, copy, fill};
use super::decoded::Decoded;
use super::memory::{buffer, to_memory};
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
        Ok(Self { items: buffer(to_memory(size)?)?, heap, strides, fill, is_variable })
    }

    /// Puts what is wanted of a chunk in its place, or the fill value where there is no chunk.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the content of items of any length passes 4 GiB.
    pub fn put(&mut self, wanted: &Wanted, chunk: Option<&Decoded<'_>>) -> Result<()> {
        let Some(chunk) = chunk else {
            if self.fill.iter().any(|&byte| byte != 0) {
                let walk = self.walk(wanted, &[]);
                fill(&self.fill, &mut self.items, walk);
            }
            return Ok(());
        };
        let items = if self.is_variable { self.adopt(chunk)? } else { Cow::Borrowed(chunk.bytes.as_ref()) };
        let walk = self.walk(wanted, &chunk.strides);
        copy(&items, &mut self.items, self.fill.len(), walk);
        Ok(())
    }

    /// The finished array.
    #[must_use]
    pub fn into_decoded(self) -> Decoded<'static> {
        Decoded { bytes: Cow::Owned(self.items), strides: self.strides, heap: Cow::Owned(self.heap) }
    }

    /// Takes a chunk's heap over; gives its references as they are in ours.
    fn adopt<'a>(&mut self, chunk: &'a Decoded<'_>) -> Result<Cow<'a, [u8]>> {
        let base = self.heap.len();
        let total = base.checked_add(chunk.heap.len()).filter(|&total| u32::try_from(total).is_ok());
        if total.is_none() || self.heap.try_reserve(chunk.heap.len()).is_err() {
            return Err(Error::Unsupported {
                feature: "a result with more than 4 GiB of text or bytes".to_owned(),
                reason: "select less at once".to_owned(),
            });
        }
        self.heap.extend_from_slice(&chunk.heap);
        let mut items = chunk.bytes.to_vec();
        for item in items.as_chunks_mut::<REFERENCE_BYTES>().0 {
            let start = u32::from_le_bytes([item[0], item[1], item[2], item[3]]) as usize + base;
            item[..4].copy_from_slice(&reference(start, 0)?[..4]);
        }
        Ok(Cow::Owned(items))
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
