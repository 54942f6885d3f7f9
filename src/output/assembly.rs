//! Assembly of an array from boxes: a staging buffer of a result, a part of a result, or a shard that is decoded whole.
//!
//! Invariant: every box, stored or filled, writes its own items and no others; after all boxes, every item is either
//! stored data or the fill value, whatever the memory held before.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use rectilinear_zarr_kernels::copy::{Loop, Walk, convert, copy, each_item, fill};
use rectilinear_zarr_kernels::for_speed::resize;

use super::cast::{Cast, ItemTransform, RangeTracker};
use super::decoded::Decoded;
use super::layout::OutputField;
use super::memory::{make_room, to_memory};
use crate::error::{Error, Result};
use crate::grid::{AxisIndexer, ChunkSelection};
use crate::metadata::REFERENCE_BYTES;

/// Array of items in C order that is assembled from boxes.
#[derive(Debug)]
pub struct Assembly {
    items: Vec<u8>,
    /// Heap that the references of variable-length items point into; it starts with the fill value's content.
    heap: Vec<u8>,
    /// Bytes from one item to the next along each axis; 0 for an axis that is dropped.
    strides: Vec<usize>,
    /// One item that holds the fill value, before the cast; empty where the metadata have none of the data type.
    fill: Vec<u8>,
    /// Bytes of an item, before the cast.
    item_size: usize,
    is_variable: bool,
    /// Offset of the field in a chunk's item, in bytes.
    offset: usize,
    /// Cast of items, always to numbers of one type.
    pub cast: Option<Rc<Cast>>,
    /// Range of the numbers that were cast.
    tracker: RangeTracker,
    /// Offset of this assembly in the whole result, in bytes.
    before: usize,
    /// Whether the memory is zeros where no box was written.
    is_clean: bool,
}

impl Assembly {
    /// Starts the assembly of a field in this memory, with the length of each axis, or `None` for an axis of length 1
    /// that is dropped.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if there is not enough memory.
    pub fn new(field: &OutputField, lengths: &[Option<u64>], memory: Vec<u8>) -> Result<Self> {
        let mut strides = Vec::new();
        let mut size = field.item_size() as u64;
        let mut is_row = true;
        for &length in lengths.iter().rev() {
            // An empty array may have an axis of any length; its stride is never used.
            strides.push(length.map_or(0, |_| to_memory(size).unwrap_or(0)));
            size = match length {
                Some(length) if std::mem::take(&mut is_row) => field.row_size(length),
                length => size.saturating_mul(length.unwrap_or(1)),
            };
        }
        strides.reverse();
        let is_variable = field.data_type.is_variable();
        let (heap, fill) = if is_variable {
            (field.fill_value.clone(), reference(0, field.fill_value.len())?)
        } else {
            (Vec::new(), field.fill_value.clone())
        };
        let (is_clean, size) = (memory.is_empty(), to_memory(size)?);
        let mut items = memory;
        let more = size.saturating_sub(items.len());
        make_room(&mut items, more)?;
        resize(&mut items, size);
        let (offset, cast, tracker) = (field.offset, field.cast.clone(), RangeTracker::default());
        let item_size = field.data_type.item_size();
        Ok(Self {
            items,
            heap,
            strides,
            fill,
            item_size,
            is_variable,
            offset,
            cast,
            tracker,
            before: 0,
            is_clean,
        })
    }

    /// Assembly of a whole array of this shape.
    pub(crate) fn of_shape(field: &OutputField, shape: &[u64]) -> Result<Self> {
        let lengths: Vec<_> = shape.iter().copied().map(Some).collect();
        Self::new(field, &lengths, Vec::new())
    }

    /// Makes this assembly the part of a larger result that starts at position `places` along `axis`; selections then
    /// use positions in the result.
    #[must_use]
    pub fn after(mut self, axis: usize, places: u64) -> Self {
        // Fits, because the whole result does.
        self.before = usize::try_from(places).unwrap_or(usize::MAX).saturating_mul(self.strides[axis]);
        self
    }

    /// Writes the selected items of a chunk, or the fill value if there is no chunk.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the content of variable-length items exceeds 4 GiB, [`Error::Range`] if an item does
    /// not fit the type that it is cast to.
    pub fn put(&mut self, selection: &ChunkSelection, chunk: Option<&Decoded<'_>>) -> Result<()> {
        self.put_row(selection, 1, chunk)
    }

    /// Writes a row of `chunks` chunks, decoded one after the other, with the selection of the first one.
    ///
    /// # Errors
    /// As [`Assembly::put`].
    pub fn put_row(
        &mut self,
        selection: &ChunkSelection,
        chunks: usize,
        chunk: Option<&Decoded<'_>>,
    ) -> Result<()> {
        match chunk {
            None => self.put_fill(selection),
            Some(chunk) if self.is_variable => self.adopt(selection, chunk),
            Some(chunk) => self.put_items(selection, chunks, chunk),
        }
    }

    fn put_items(&mut self, selection: &ChunkSelection, chunks: usize, chunk: &Decoded<'_>) -> Result<()> {
        let walk = self.walk(selection, chunks, Some(chunk));
        let transform = ItemTransform { cast: self.cast.clone(), reversed: chunk.reversed };
        let size = self.item_size;
        if transform.is_identity() {
            copy(&chunk.bytes, &mut self.items, size, walk);
            return Ok(());
        }
        let (items, tracker) = (&mut self.items, &mut self.tracker);
        let (size, new_size) = transform.sizes(size);
        convert(&chunk.bytes, items, size, new_size, walk, &mut |from, to| transform.make(from, to, tracker));
        self.check(&transform, &chunk.bytes, || self.walk(selection, chunks, Some(chunk)))
    }

    fn put_fill(&mut self, selection: &ChunkSelection) -> Result<()> {
        if self.fill.len() != self.item_size {
            return Err(no_fill_value());
        }
        let walk = self.walk(selection, 1, None);
        let transform = ItemTransform { cast: self.cast.clone(), reversed: None };
        if transform.is_identity() {
            if !self.is_clean || self.fill.iter().any(|&byte| byte != 0) {
                fill(&self.fill, &mut self.items, walk);
            }
            return Ok(());
        }
        let mut item = vec![0; transform.sizes(self.fill.len()).1];
        transform.make(&self.fill, &mut item, &mut self.tracker);
        fill(&item, &mut self.items, walk);
        self.check(&transform, &self.fill, || self.walk(selection, 1, None))
    }

    /// Checks that every item so far fits the type that it was cast to; if one does not, finds it among the last
    /// walk's.
    fn check(&self, transform: &ItemTransform, source: &[u8], walk: impl Fn() -> Walk) -> Result<()> {
        let Some(cast) = transform.cast.as_ref().filter(|_| self.tracker.misfit.is_some()) else {
            return Ok(());
        };
        let (size, new_size) = cast.sizes();
        let mut first = None;
        let mut item = vec![0; new_size];
        each_item(walk(), size, &mut |from, to| {
            let mut tracker = RangeTracker::default();
            if first.is_none() {
                transform.make(&source[from..from + size], &mut item, &mut tracker);
                first = tracker.misfit.map(|misfit| (misfit, to));
            }
        });
        let Some((misfit, to)) = first else { return Ok(()) };
        let nth = self.before.wrapping_add(to) / new_size;
        Err(Error::Range { reason: format!("item {nth} is {misfit}, {}", cast.refusal()) })
    }

    /// The minimum and maximum of the items, if the cast tracks them.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        self.cast.as_ref()?.range(&self.tracker)
    }

    /// Bytes of the heap so far.
    pub(crate) fn content_size(&self) -> usize {
        self.heap.len()
    }

    /// The items so far, and their range of bytes in the whole result.
    #[must_use]
    pub fn placed(&self) -> (&[u8], Range<usize>) {
        (&self.items, self.before..self.before + self.items.len())
    }

    /// The memory of the items.
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

    /// Writes references, and copies their content to the heap: the chunk's whole heap if the selection refers to as
    /// many bytes, else item by item.
    fn adopt(&mut self, selection: &ChunkSelection, chunk: &Decoded<'_>) -> Result<()> {
        let stored = |from: usize| -> Range<usize> {
            let [start, length] = [0, 4].map(|part| number(&chunk.bytes[from + part..]));
            start..start.saturating_add(length)
        };
        let mut content = 0usize;
        let walk = self.walk(selection, 1, Some(chunk));
        each_item(walk, REFERENCE_BYTES, &mut |from, _| content = content.saturating_add(stored(from).len()));
        // Items may share content, so the sum of their lengths may exceed the heap.
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
        let walk = self.walk(selection, 1, Some(chunk));
        let (items, heap) = (&mut self.items, &mut self.heap);
        each_item(walk, REFERENCE_BYTES, &mut |from, to| {
            let old = stored(from);
            let start = if all { base + old.start } else { heap.len() };
            if !all {
                heap.extend_from_slice(&chunk.heap[old.clone()]);
            }
            // Both fit, because the whole heap does.
            let [start, length] = [start, old.len()].map(|part| u32::try_from(part).unwrap_or(u32::MAX));
            items[to..to + 4].copy_from_slice(&start.to_le_bytes());
            items[to + 4..to + REFERENCE_BYTES].copy_from_slice(&length.to_le_bytes());
        });
        Ok(())
    }

    /// The copy of the selected items of `chunks` chunks to the output; without a chunk, a fill of the output.
    fn walk(&self, selection: &ChunkSelection, chunks: usize, chunk: Option<&Decoded<'_>>) -> Walk {
        let (strides, bytes) = chunk.map_or((&[][..], 0), |chunk| (&chunk.strides[..], chunk.bytes.len()));
        let mut walk = copy_loops(selection, strides, &self.strides);
        if let (ChunkSelection::Axes(axes), 2..) = (selection, chunks) {
            beside(&mut walk, axes, chunks, bytes / chunks, &self.strides);
        }
        walk.source += chunk.map_or(0, |_| self.offset);
        walk.target = walk.target.wrapping_sub(self.before);
        walk
    }
}

/// The error that items which are not stored have no value.
pub(crate) fn no_fill_value() -> Error {
    Error::metadata("/fill_value", "expected a value of the data type, because some items are not stored")
}

/// The copy of selected items from a chunk to an output; `from` and `to` are their strides in bytes, `from` empty if
/// there is no chunk.
fn copy_loops(selection: &ChunkSelection, from: &[usize], to: &[usize]) -> Walk {
    let mut walk = Walk::default();
    match selection {
        ChunkSelection::Axes(axes) => {
            walk.loops.reserve_exact(axes.len() + 1);
            let from = from.iter().copied().chain(std::iter::repeat(0));
            for ((picks, source), &target) in axes.iter().zip(from).zip(to) {
                along(&mut walk, picks, source, target);
            }
        }
        ChunkSelection::Points(points) => {
            let stride = to.first().copied().unwrap_or_default();
            let pairs = points.offsets(from).map(|(source, nth)| (source, nth * stride));
            walk.loops.push(Loop::List(pairs.collect()));
        }
    }
    walk
}

/// Extends a walk to `count` chunks, `source` bytes apart, that lie side by side along the last axis.
fn beside(walk: &mut Walk, axes: &[AxisIndexer], count: usize, source: usize, to: &[usize]) {
    if let (Some(AxisIndexer::Run { count: places, reversed, .. }), Some(target)) = (axes.last(), to.last()) {
        let target = (index(*places) * target).cast_signed();
        let target = if *reversed { -target } else { target };
        walk.loops.insert(0, Loop::Run { count, source, target });
    }
}

/// Adds one more axis to a walk, inside the others; `source` and `target` are its strides in bytes.
fn along(walk: &mut Walk, picks: &AxisIndexer, source: usize, target: usize) {
    match picks {
        AxisIndexer::Run { first, step, count, output, reversed } => {
            walk.source += index(*first) * source;
            walk.target += index(*output) * target;
            // The step of a single pick is never taken, and may exceed the memory.
            let step = if *count == 1 { 0 } else { index(*step) };
            let target = target.cast_signed();
            let target = if *reversed { -target } else { target };
            walk.loops.push(Loop::Run { count: index(*count), source: source * step, target });
        }
        AxisIndexer::List(list) => {
            let pairs =
                list.picks().map(|pick| (index(pick.coordinate) * source, index(pick.output) * target));
            walk.loops.push(Loop::List(pairs.collect()));
        }
    }
}

/// Converts a position in a chunk or an output, which fits because both are in memory.
fn index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Reads half of a reference; `bytes` must hold at least 4 bytes.
fn number(bytes: &[u8]) -> usize {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
}

/// An item that refers to a range of the heap.
fn reference(start: usize, length: usize) -> Result<Vec<u8>> {
    let part = |value: usize| {
        u32::try_from(value).map(u32::to_le_bytes).map_err(|_| Error::Unsupported {
            feature: "an item of more than 4 GiB".to_owned(),
            reason: "positions and lengths of text and bytes are 32-bit".to_owned(),
        })
    };
    Ok([part(start)?, part(length)?].concat())
}
