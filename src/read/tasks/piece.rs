//! Pieces of an uncompressed chunk: the byte ranges that a selection needs of it, where they are worth asking for alone.
//!
//! Invariant: the pieces of a task put every item that the task picks, once, where the task puts it; picks that lie
//! no farther apart than the gap are in one piece, but those of lists and points, whose pieces may lie near.

use crate::error::Gather;
use std::ops::Range;

use super::task::Task;
use crate::grid::{AxisIndexer, ChunkSelection, PointSelection, sorted_by_number};
use crate::read::array::Array;
use crate::source::{ByteRange, ChunkLocation, Request};

/// The most pieces that one chunk is read in: 4096.
///
/// The reason: each is a request, unless it lies near another one.
const MAX_PIECES: u64 = 4096;

/// How one axis of a chunk lies in its bytes.
struct AxisLayout {
    axis: usize,
    stride: u64,
    /// Whether each pick along the axis is a piece of its own.
    is_split: bool,
}

/// Some bytes of a chunk, and the selection from them.
type ByteSubrange = (Range<u64>, ChunkSelection);

impl Array {
    /// The pieces of a task's chunk that hold what the task picks; nothing where the chunk is best read whole: it is
    /// compressed, or hardly longer than the gap, or most of it is selected.
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

    /// The stretch of a task's chunk from the first item that it picks to the last one, where that saves enough.
    #[must_use]
    pub fn stretch(&self, task: &Task) -> Option<Task> {
        let (all, item) = (self.decoded_bytes(task), self.metadata.data_type.item_size() as u64);
        // Asked of every chunk, of which few are cut.
        if !saves_enough(task.selection.count().saturating_mul(item), all) {
            return None;
        }
        self.pieces(task, all.checked_sub(1)?).filter(|pieces| pieces.len() == 1)?.pop()
    }
}

/// Whether so many bytes of a chunk are so few that pieces are worth it: with less than a quarter saved, the whole
/// chunk is worth more, as it can be cached, by the browser too.
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
    let (lanes, bytes, pieces) = lanes(axes, strides, item, gap)?;
    if !saves_enough(bytes.saturating_mul(pieces), length) {
        return None;
    }
    let split: Vec<&AxisLayout> = lanes.iter().filter(|lane| lane.is_split).collect();
    let start: u64 = lanes.iter().map(|lane| lowest[lane.axis] * lane.stride).sum();
    let piece = |nth: u64| {
        let (mut rest, mut start) = (nth, start);
        let mut selection: Vec<AxisIndexer> = axes.iter().map(AxisIndexer::from_lowest).collect();
        for lane in split.iter().rev() {
            let picks = &axes[lane.axis];
            let (distance, single) = picks.single(rest % picks.count());
            rest /= picks.count();
            start += distance * lane.stride;
            selection[lane.axis] = single;
        }
        (start..start + bytes, ChunkSelection::Axes(selection))
    };
    Some((0..pieces).map(piece).collect())
}

/// The lanes of a chunk, the outermost first, with the bytes of a piece and the number of pieces.
fn lanes(
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
        let mut lanes = Vec::with_capacity(order.len());
        for &axis in &order {
            let (picks, stride) = (&axes[axis], strides[axis] as u64);
            let distance = picks.farthest_step().saturating_mul(stride);
            // What lies outside of a split axis is farther apart still, or as far for other reasons.
            let is_split = picks.count() > 1 && (pieces > 1 || distance.saturating_sub(bytes) > gap);
            if is_split {
                pieces = pieces.saturating_mul(picks.count());
            } else {
                bytes = bytes.saturating_add(picks.reach().saturating_mul(stride));
            }
            lanes.push(AxisLayout { axis, stride, is_split });
        }
        lanes.reverse();
        if pieces <= MAX_PIECES {
            return Some((lanes, bytes, pieces));
        }
        gap = gap.max(item).checked_mul(4)?;
    }
}
