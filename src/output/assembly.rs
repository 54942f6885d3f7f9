//! An array of items being put together from boxes: a band of a result, a part of one, or a shard decoded whole.
//!
//! Invariant: every box, put or filled, writes its own items and no other; once all have, every item is either
//! stored data or the fill value, whatever the memory held before.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use rectilinear_zarr_kernels::copy::{Walk, convert, copy, each_item, fill};
use rectilinear_zarr_kernels::room;

use super::cast::Cast;
use super::decoded::Decoded;
use super::item_transform::ItemTransform;
use super::memory::{make_room, to_memory};
use super::output_field::OutputField;
use super::range_tracker::RangeTracker;
use super::references::{number, reference};
use super::walk;
use crate::error::{Error, Result};
use crate::grid::ChunkSelection;
use crate::metadata::REFERENCE_BYTES;

/// Items in C order in the making.
#[derive(Debug)]
pub struct Assembly {
    items: Vec<u8>,
    /// Heap that references point into, where items have any length; it starts with the fill value's content.
    heap: Vec<u8>,
    /// Bytes from one item to the next along each axis; 0 for an axis that is dropped.
    strides: Vec<usize>,
    /// One item that holds the fill value, as it is stored.
    fill: Vec<u8>,
    is_variable: bool,
    /// Bytes into a chunk's item at which ours begins.
    offset: usize,
    /// Cast of items, always to numbers of one type, and the range of numbers that it came across.
    pub cast: Option<Rc<Cast>>,
    seen: RangeTracker,
    /// Bytes of the whole result that come before ours.
    before: usize,
    /// Whether the memory is zeros where nothing was put.
    is_clean: bool,
}

impl Assembly {
    /// A column of so many items along each axis, `None` for an axis of one that is dropped, to be put together in this
    /// memory.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where it is more than this machine can hold.
    pub fn new(
        column: &OutputField,
        lengths: impl DoubleEndedIterator<Item = Option<u64>>,
        memory: Vec<u8>,
    ) -> Result<Self> {
        let mut strides = Vec::new();
        let mut size = column.item_size() as u64;
        let mut is_row = true;
        for length in lengths.rev() {
            // An axis of an empty array may have any length; its stride is never used.
            strides.push(length.map_or(0, |_| to_memory(size).unwrap_or(0)));
            size = match length {
                Some(length) if std::mem::take(&mut is_row) => column.row_size(length),
                length => size.saturating_mul(length.unwrap_or(1)),
            };
        }
        strides.reverse();
        let is_variable = column.data_type.is_variable();
        let (heap, fill) = if is_variable {
            (column.fill_value.clone(), reference(0, column.fill_value.len())?)
        } else {
            (Vec::new(), column.fill_value.clone())
        };
        let (is_clean, size) = (memory.is_empty(), to_memory(size)?);
        let mut items = memory;
        let more = size.saturating_sub(items.len());
        make_room(&mut items, more)?;
        room::resize(&mut items, size);
        let (offset, cast, seen) = (column.offset, column.cast.clone(), RangeTracker::default());
        Ok(Self { items, heap, strides, fill, is_variable, offset, cast, seen, before: 0, is_clean })
    }

    /// This assembly as a part of a larger result, after `places` along an axis, as whose positions ours count.
    #[must_use]
    pub fn after(mut self, axis: usize, places: u64) -> Self {
        // Fits, as the whole result does.
        self.before = usize::try_from(places).unwrap_or(usize::MAX).saturating_mul(self.strides[axis]);
        self
    }

    /// Puts what is wanted of a chunk in its place, or the fill value where there is no chunk.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the content of items of any length passes 4 GiB, [`Error::Range`] where an item does
    /// not fit what it is cast to.
    pub fn put(&mut self, wanted: &ChunkSelection, chunk: Option<&Decoded<'_>>) -> Result<()> {
        self.put_row(wanted, 1, chunk)
    }

    /// Puts a row of `chunks` chunks, whose items lie one after the other, by what is wanted of the first.
    ///
    /// # Errors
    /// As [`Assembly::put`].
    pub fn put_row(
        &mut self,
        wanted: &ChunkSelection,
        chunks: usize,
        chunk: Option<&Decoded<'_>>,
    ) -> Result<()> {
        match chunk {
            None => self.put_fill(wanted),
            Some(chunk) if self.is_variable => self.adopt(wanted, chunk),
            Some(chunk) => self.put_items(wanted, chunks, chunk),
        }
    }

    fn put_items(&mut self, wanted: &ChunkSelection, chunks: usize, chunk: &Decoded<'_>) -> Result<()> {
        let walk = self.walk(wanted, chunks, Some(chunk));
        let making = ItemTransform { cast: self.cast.clone(), reversed: chunk.reversed };
        let size = self.fill.len();
        if making.is_nothing() {
            copy(&chunk.bytes, &mut self.items, size, walk);
            return Ok(());
        }
        let (items, seen, sizes) = (&mut self.items, &mut self.seen, making.sizes(size));
        convert(&chunk.bytes, items, sizes, walk, &mut |from, to| making.make(from, to, seen));
        self.check(&making, &chunk.bytes, || self.walk(wanted, chunks, Some(chunk)))
    }

    fn put_fill(&mut self, wanted: &ChunkSelection) -> Result<()> {
        let walk = self.walk(wanted, 1, None);
        let making = ItemTransform { cast: self.cast.clone(), reversed: None };
        if making.is_nothing() {
            if !self.is_clean || self.fill.iter().any(|&byte| byte != 0) {
                fill(&self.fill, &mut self.items, walk);
            }
            return Ok(());
        }
        let mut item = vec![0; making.sizes(self.fill.len()).1];
        making.make(&self.fill, &mut item, &mut self.seen);
        fill(&item, &mut self.items, walk);
        self.check(&making, &self.fill, || self.walk(wanted, 1, None))
    }

    /// That every item so far fits what it was cast to. If not, one of the last walk does not, which is looked for.
    fn check(&self, making: &ItemTransform, source: &[u8], walk: impl Fn() -> Walk) -> Result<()> {
        let Some(cast) = making.cast.as_ref().filter(|_| self.seen.misfit.is_some()) else { return Ok(()) };
        let (size, new_size) = cast.sizes();
        let mut first = None;
        let mut item = vec![0; new_size];
        each_item(walk(), size, &mut |from, to| {
            let mut seen = RangeTracker::default();
            if first.is_none() {
                making.make(&source[from..from + size], &mut item, &mut seen);
                first = seen.misfit.map(|misfit| (misfit, to));
            }
        });
        let Some((misfit, to)) = first else { return Ok(()) };
        let nth = self.before.wrapping_add(to) / new_size;
        Err(Error::Range { reason: format!("item {nth} is {misfit}, {}", cast.refusal()) })
    }

    /// The least and the greatest of the items, where they are cast by something that sees them.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        self.cast.as_ref()?.range(&self.seen)
    }

    /// Bytes that the items refer to so far.
    pub(crate) fn content_size(&self) -> usize {
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
        let (bytes, heap) = (Cow::Owned(self.items), Cow::Owned(self.heap));
        Decoded { bytes, strides: self.strides, heap, reversed: None }
    }

    /// Puts references in their places, and what they refer to in our heap: all that the chunk has where nearly all
    /// of it is wanted, and item by item where little is.
    fn adopt(&mut self, wanted: &ChunkSelection, chunk: &Decoded<'_>) -> Result<()> {
        let stored = |from: usize| -> Range<usize> {
            let [start, length] = [0, 4].map(|part| number(&chunk.bytes[from + part..]));
            start..start.saturating_add(length)
        };
        let mut content = 0usize;
        let walk = self.walk(wanted, 1, Some(chunk));
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
        let walk = self.walk(wanted, 1, Some(chunk));
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

    /// How to walk the wanted items in so many chunks and in the output. Without a chunk there are no strides of it.
    fn walk(&self, wanted: &ChunkSelection, chunks: usize, chunk: Option<&Decoded<'_>>) -> Walk {
        let (strides, bytes) = chunk.map_or((&[][..], 0), |chunk| (&chunk.strides[..], chunk.bytes.len()));
        let mut walk = walk::walk(wanted, strides, &self.strides);
        if let (ChunkSelection::Axes(axes), 2..) = (wanted, chunks) {
            walk::beside(&mut walk, axes, (chunks, bytes / chunks), &self.strides);
        }
        walk.source += chunk.map_or(0, |_| self.offset);
        walk.target = walk.target.wrapping_sub(self.before);
        walk
    }
}
