//! Decoding of a chunk only what is wanted of it: the blocks of a blosc frame do not depend on each other.
//!
//! Invariant: what is wanted has its items; every other item may be zeros, so a part is never kept as a chunk.

use std::borrow::Cow;

use super::bytes_to_bytes::BytesToBytes;
use super::bytes_to_bytes::blosc::BloscFrame;
use super::pipeline::Pipeline;
use super::size::Size;
use crate::error::Result;
use crate::grid::{AxisIndexer, ChunkSelection, sorted_by_number};
use crate::output::Decoded;
use crate::output::memory::buffer;

impl Pipeline {
    /// Whether parts of a chunk of this shape can be decoded alone: blosc comes next to items that nothing else changed.
    #[must_use]
    pub fn decodes_parts(&self, shape: &[u64]) -> bool {
        matches!(self.bytes_to_bytes.first(), Some(BytesToBytes::Blosc(_)))
            && self.item_strides(shape).is_some()
    }

    /// Decodes the wanted part of a stored chunk of this shape; also whether that is all of it.
    ///
    /// # Errors
    /// As [`Pipeline::decode`].
    pub fn decode_part(
        &self,
        encoded: Cow<'_, [u8]>,
        shape: &[u64],
        wanted: &ChunkSelection,
    ) -> Result<(Decoded<'static>, bool)> {
        let Some(strides) = self.item_strides(shape).filter(|_| self.decodes_parts(shape)) else {
            return Ok((self.decode(encoded, shape)?.into_owned(), true));
        };
        let (frame, size) = self.innermost(encoded, shape)?;
        let frame = BloscFrame::parse(&frame, size)?;
        let count = frame.blocks();
        let mut blocks = Blocks { size: frame.content_of(0..1).len().max(1), needed: vec![false; count] };
        blocks.need_wanted(wanted, &strides, self.data_type().item_size());
        let mut decoded = buffer(frame.content_of(0..count).len())?;
        let is_whole = blocks.needed.iter().filter(|needed| **needed).count() * 2 > blocks.needed.len();
        let mut next = 0;
        for run in blocks.needed.chunk_by(|one, other| is_whole || one == other) {
            let range = next..next + run.len();
            next = range.end;
            if is_whole || run[0] {
                let content = frame.content_of(range.clone());
                frame.decode_range(range, &mut decoded[content])?;
            }
        }
        Ok((self.decode_items(Cow::Owned(decoded), strides), is_whole))
    }
}

impl Pipeline {
    /// A chunk of this shape as the first bytes-to-bytes codec encoded it, and the size that it may be decoded to.
    fn innermost<'a>(&self, encoded: Cow<'a, [u8]>, shape: &[u64]) -> Result<(Cow<'a, [u8]>, Size)> {
        let resolved = self.resolved(shape)?;
        let layout = resolved.layout()?;
        layout.stored().check(self.outermost(), encoded.len())?;
        let sizes = &layout.sizes;
        let outer = self.bytes_to_bytes.iter().zip(sizes).skip(1);
        let bytes = outer.rev().try_fold(encoded, |encoded, (codec, size)| codec.decode(encoded, *size))?;
        Ok((bytes, sizes[0]))
    }
}

/// The blocks of a frame, and which of them are needed.
struct Blocks {
    size: usize,
    needed: Vec<bool>,
}

impl Blocks {
    fn need_wanted(&mut self, wanted: &ChunkSelection, strides: &[usize], item: usize) {
        match wanted {
            ChunkSelection::Points(points) => {
                points.offsets(strides).for_each(|(offset, _)| self.need(offset, item))
            }
            ChunkSelection::Axes(axes) => {
                let lanes: Vec<(&AxisIndexer, usize)> = axes.iter().zip(strides.iter().copied()).collect();
                let lanes = sorted_by_number(lanes, |(_, stride)| u64::MAX - *stride as u64);
                let lowest =
                    lanes.iter().map(|(picks, stride)| position(picks.lowest().unwrap_or(0)) * stride);
                let start = lowest.sum();
                if axes.iter().all(|picks| picks.count() > 0) {
                    self.need_lanes(&lanes, start, item);
                }
            }
        }
    }

    /// Needs what picks along these lanes, the outermost first, meet from a place on.
    fn need_lanes(&mut self, lanes: &[(&AxisIndexer, usize)], start: usize, item: usize) {
        let reach = |(picks, stride): &(&AxisIndexer, usize)| position(picks.reach()) * stride;
        match lanes.split_first() {
            Some(((picks, stride), inner)) if position(picks.farthest_step()) * stride > self.size => {
                for nth in 0..picks.count() {
                    self.need_lanes(inner, start + position(picks.single(nth).0) * stride, item);
                }
            }
            // Neighbours lie within a block of each other, so every block from the first to the last is met.
            _ => self.need(start, lanes.iter().map(reach).sum::<usize>() + item),
        }
    }

    fn need(&mut self, start: usize, length: usize) {
        let (first, last) = (start / self.size, (start + length.max(1) - 1) / self.size);
        self.needed.iter_mut().take(last + 1).skip(first).for_each(|needed| *needed = true);
    }
}

/// A position within a chunk that is in memory, and so fits.
fn position(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}
