//! Decoding of selected items: of a Blosc frame, only the blocks that hold some. The blocks do not depend on each other.
//!
//! Invariant: selected items are decoded. All other items may be zeros, so a partly decoded chunk is never cached.

use super::BloscFrame;
use crate::codec::kinds::Size;
use crate::error::Result;
use crate::grid::{AxisIndexer, ChunkSelection, sorted_by_number};
use crate::output::memory::buffer;
use crate::parts::{Codecs, Loaded, later};

/// Decodes the blocks of a Blosc frame that hold selected items. The boolean is true where those are all blocks.
#[later]
pub(in crate::codec) fn decode_blocks(
    _: Loaded<Codecs>,
    frame: &[u8],
    size: Size,
    selection: &ChunkSelection,
    strides: &[usize],
    item: usize,
) -> Result<(Vec<u8>, bool)> {
    let frame = BloscFrame::parse(frame, size)?;
    let count = frame.blocks();
    let mut blocks = Blocks { size: frame.content_of(0..1).len().max(1), needed: vec![false; count] };
    blocks.need_selection(selection, strides, item);
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
    Ok((decoded, is_whole))
}

/// Blocks of a frame: bytes of one block, and a flag for each block that is needed.
struct Blocks {
    size: usize,
    needed: Vec<bool>,
}

impl Blocks {
    fn need_selection(&mut self, selection: &ChunkSelection, strides: &[usize], item: usize) {
        match selection {
            ChunkSelection::Points(points) => {
                points.offsets(strides).for_each(|(offset, _)| self.need(offset, item))
            }
            ChunkSelection::Axes(axes) => {
                let strided: Vec<(&AxisIndexer, usize)> = axes.iter().zip(strides.iter().copied()).collect();
                let strided = sorted_by_number(strided, |(_, stride)| u64::MAX - *stride as u64);
                let lowest =
                    strided.iter().map(|(indexer, stride)| position(indexer.lowest().unwrap_or(0)) * stride);
                let start = lowest.sum();
                if axes.iter().all(|indexer| indexer.count() > 0) {
                    self.need_axes(&strided, start, item);
                }
            }
        }
    }

    /// Marks the blocks that hold the selected items along some axes, outermost axis first, from the byte `start` on.
    fn need_axes(&mut self, strided: &[(&AxisIndexer, usize)], start: usize, item: usize) {
        let reach = |(indexer, stride): &(&AxisIndexer, usize)| position(indexer.reach()) * stride;
        match strided.split_first() {
            Some(((indexer, stride), inner)) if position(indexer.farthest_step()) * stride > self.size => {
                for nth in 0..indexer.count() {
                    self.need_axes(inner, start + position(indexer.single(nth).0) * stride, item);
                }
            }
            // Selected neighbours are at most a block apart, so every block from the first to the last is needed.
            _ => self.need(start, strided.iter().map(reach).sum::<usize>() + item),
        }
    }

    fn need(&mut self, start: usize, length: usize) {
        let (first, last) = (start / self.size, (start + length.max(1) - 1) / self.size);
        self.needed.iter_mut().take(last + 1).skip(first).for_each(|needed| *needed = true);
    }
}

/// A position within a chunk as `usize`, which it fits because the chunk is in memory.
fn position(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}
