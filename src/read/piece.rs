//! Pieces of an uncompressed chunk: the byte ranges that a selection needs of it, where they are worth asking for alone.
//!
//! Invariant: the pieces of a task put every item that the task picks, once, where the task puts it; picks that lie
//! no farther apart than the gap are in one piece.

use super::array::Array;
use super::task::Task;
use crate::codec::Decoded;
use crate::error::{Error, Result};
use crate::grid::Projection;
use crate::source::{ByteRange, Location, Request};

/// The most pieces that one chunk is read in: 4096.
///
/// The reason: each is a request, unless it lies near another one.
const MAX_PIECES: u64 = 4096;

/// How one axis of a chunk lies in its bytes.
struct Lane {
    axis: usize,
    stride: u64,
    /// Whether each pick along the axis is a piece of its own.
    is_split: bool,
}

impl Array {
    /// The pieces of a task's chunk that hold what the task picks; nothing where the chunk is best read whole: it is
    /// compressed, or hardly longer than the gap, or most of it is wanted.
    #[must_use]
    pub fn pieces(&self, task: &Task, gap: u64) -> Option<Vec<Task>> {
        let strides = self.task_pipeline(task).plain_strides(&task.chunk_shape)?;
        let Location::Stored(Request { key, range }) = &task.location else { return None };
        let length = self.pipeline.decoded_size(&task.chunk_shape);
        let base = match range {
            ByteRange::All => 0,
            ByteRange::Span(span) if span.end - span.start == length => span.start,
            _ => return None,
        };
        if length <= gap || task.parts.iter().any(|part| part.count == 0) {
            return None;
        }
        let (lanes, bytes, pieces) = self.lanes(task, &strides, gap)?;
        // Below a quarter saved, the whole chunk is worth more: it can be cached, by the browser too.
        if bytes.saturating_mul(pieces) > length - length / 4 {
            return None;
        }
        let split: Vec<&Lane> = lanes.iter().filter(|lane| lane.is_split).collect();
        let start = lanes.iter().fold(base, |start, lane| start + task.parts[lane.axis].within * lane.stride);
        let piece = |nth: u64| {
            let (mut rest, mut start) = (nth, start);
            let mut parts: Vec<Projection> = task.parts.iter().map(Projection::from_first).collect();
            for lane in split.iter().rev() {
                let part = &task.parts[lane.axis];
                let at = rest % part.count;
                rest /= part.count;
                start += at * part.step * lane.stride;
                parts[lane.axis] = part.single(at);
            }
            let range = ByteRange::Span(start..start + bytes);
            task.piece(Location::Stored(Request { key: key.clone(), range }), parts)
        };
        Some((0..pieces).map(piece).collect())
    }

    /// The lanes of a task's chunk, the outermost first, with the bytes of a piece and the number of pieces.
    fn lanes(&self, task: &Task, strides: &[usize], gap: u64) -> Option<(Vec<Lane>, u64, u64)> {
        let mut order: Vec<usize> = (0..strides.len()).collect();
        order.sort_by_key(|&axis| strides[axis]);
        let mut gap = gap;
        loop {
            let mut bytes = self.metadata.data_type.item_size() as u64;
            let mut pieces: u64 = 1;
            let mut lanes = Vec::with_capacity(order.len());
            for &axis in &order {
                let (part, stride) = (&task.parts[axis], strides[axis] as u64);
                let distance = part.step.saturating_mul(stride);
                // What lies outside of a split axis is farther apart still, or as far for other reasons.
                let is_split = part.count > 1 && (pieces > 1 || distance.saturating_sub(bytes) > gap);
                if is_split {
                    pieces = pieces.saturating_mul(part.count);
                } else if part.count > 1 {
                    bytes = bytes.saturating_add((part.count - 1).saturating_mul(distance));
                }
                lanes.push(Lane { axis, stride, is_split });
            }
            lanes.reverse();
            if pieces <= MAX_PIECES {
                return Some((lanes, bytes, pieces));
            }
            gap = gap.checked_mul(4)?;
        }
    }

    /// The picked items of a piece, as its bytes have them.
    pub(super) fn decode_piece<'a>(
        &self,
        task: &Task,
        bytes: std::borrow::Cow<'a, [u8]>,
    ) -> Result<Decoded<'a>> {
        let pipeline = self.task_pipeline(task);
        let Some(strides) = pipeline.plain_strides(&task.chunk_shape) else {
            return Err(Error::codec("bytes", "a piece of a compressed chunk", "a piece of a plain one"));
        };
        Ok(pipeline.decode_items(bytes, strides))
    }
}
