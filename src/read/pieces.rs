//! Pieces of an uncompressed chunk: the byte ranges that a selection needs, where requesting them alone saves enough.
//!
//! Invariant: the pieces of a task copy each item of its selection once, to the same place in the output. Items that
//! lie no farther apart than the gap are in one piece, except those of lists and points.

use crate::error::Gather;
use std::ops::Range;

use super::array::Array;
use super::task::{ChunkLocation, Task};
use crate::grid::{AxisIndexer, ChunkSelection, PointSelection, sorted_by_number};
use crate::network::{ByteRange, Request};

/// Maximum number of pieces of one chunk: 4096.
///
/// Each piece is a request, unless it lies near another one.
const MAX_PIECES: u64 = 4096;

/// Layout of one axis of a chunk in its bytes.
struct AxisLayout {
    axis: usize,
    /// Bytes from one item to the next.
    stride: u64,
    /// Whether each selected index along the axis is a piece of its own.
    is_split: bool,
}

/// Byte range of a chunk, and the selection within it.
type ByteSubrange = (Range<u64>, ChunkSelection);

impl Array {
    /// The pieces of a task's chunk that hold its selection. `None` where the chunk is best read whole: it is
    /// compressed, it is not longer than `gap` bytes, or most of it is selected.
    #[must_use]
    pub fn pieces(&self, task: &Task, gap: u64) -> Option<Vec<Task>> {
        let strides = self.task_pipeline(task).plain_strides(&task.chunk_shape)?;
        let ChunkLocation::Stored(Request { key, range }) = &task.location else { return None };
        let length = self.pipeline.decoded_size(&task.chunk_shape);
        let base = match range {
            ByteRange::All => 0,
            ByteRange::Span(span) if span.end - span.start == length => span.start,
            _ => return None,
        };
        if length <= gap {
            return None;
        }
        let item = self.metadata.data_type.item_size() as u64;
        let pieces = match &task.selection {
            ChunkSelection::Axes(axes) => of_axes(axes, &strides, item, length, gap)?,
            ChunkSelection::Points(points) => of_points(points, &strides, item, length)?,
        };
        let task = |(bytes, selection): ByteSubrange| {
            let range = ByteRange::Span(base + bytes.start..base + bytes.end);
            task.piece(ChunkLocation::Stored(Request { key: key.clone(), range }), selection)
        };
        Some(pieces.into_iter().map(task).collect())
    }

    /// The piece of a task's chunk from its first selected item to the last one, where that saves enough bytes.
    #[must_use]
    pub fn stretch(&self, task: &Task) -> Option<Task> {
        let (all, item) = (self.decoded_bytes(task), self.metadata.data_type.item_size() as u64);
        // This cheap test runs first, as it rejects most chunks.
        if !saves_enough(task.selection.count().saturating_mul(item), all) {
            return None;
        }
        self.pieces(task, all.checked_sub(1)?).filter(|pieces| pieces.len() == 1)?.pop()
    }
}

/// Whether reading `bytes` of a chunk of `length` bytes saves at least a quarter. With less saved, the whole chunk is
/// worth more, because it can be cached, also by the browser.
fn saves_enough(bytes: u64, length: u64) -> bool {
    bytes <= length - length / 4
}

fn of_points(
    points: &PointSelection,
    strides: &[usize],
    item: u64,
    length: u64,
) -> Option<Vec<ByteSubrange>> {
    if points.count() > MAX_PIECES || !saves_enough(points.count().saturating_mul(item), length) {
        return None;
    }
    let singles = points.offsets(strides).zip(points.singles());
    Some(
        singles
            .map(|((at, _), point)| (at as u64..at as u64 + item, ChunkSelection::Points(point)))
            .collect(),
    )
}

fn of_axes(
    axes: &[AxisIndexer],
    strides: &[usize],
    item: u64,
    length: u64,
    gap: u64,
) -> Option<Vec<ByteSubrange>> {
    let lowest = axes.iter().map(AxisIndexer::lowest).gathered()?;
    let (layouts, bytes, pieces) = layouts(axes, strides, item, gap)?;
    if !saves_enough(bytes.saturating_mul(pieces), length) {
        return None;
    }
    let split: Vec<&AxisLayout> = layouts.iter().filter(|layout| layout.is_split).collect();
    let start: u64 = layouts.iter().map(|layout| lowest[layout.axis] * layout.stride).sum();
    let piece = |nth: u64| {
        let (mut rest, mut start) = (nth, start);
        let mut selection: Vec<AxisIndexer> = axes.iter().map(AxisIndexer::from_lowest).collect();
        for layout in split.iter().rev() {
            let picks = &axes[layout.axis];
            let (distance, single) = picks.single(rest % picks.count());
            rest /= picks.count();
            start += distance * layout.stride;
            selection[layout.axis] = single;
        }
        (start..start + bytes, ChunkSelection::Axes(selection))
    };
    Some((0..pieces).map(piece).collect())
}

/// Layouts of a chunk's axes, the outermost first, with the bytes of a piece and the number of pieces.
fn layouts(
    axes: &[AxisIndexer],
    strides: &[usize],
    item: u64,
    gap: u64,
) -> Option<(Vec<AxisLayout>, u64, u64)> {
    let order = sorted_by_number((0..strides.len()).collect(), |&axis| strides[axis] as u64);
    let mut gap = gap;
    loop {
        let mut bytes = item;
        let mut pieces: u64 = 1;
        let mut layouts = Vec::with_capacity(order.len());
        for &axis in &order {
            let (picks, stride) = (&axes[axis], strides[axis] as u64);
            let distance = picks.farthest_step().saturating_mul(stride);
            // Axes outside of a split one are split too: a piece across them would hold its gaps.
            let is_split = picks.count() > 1 && (pieces > 1 || distance.saturating_sub(bytes) > gap);
            if is_split {
                pieces = pieces.saturating_mul(picks.count());
            } else {
                bytes = bytes.saturating_add(picks.reach().saturating_mul(stride));
            }
            layouts.push(AxisLayout { axis, stride, is_split });
        }
        layouts.reverse();
        if pieces <= MAX_PIECES {
            return Some((layouts, bytes, pieces));
        }
        gap = gap.max(item).checked_mul(4)?;
    }
}
