//! Copy plan: how items of a chunk are copied to a result in JavaScript memory, as numbers for the copying loop.
//!
//! Invariant: a walk reads and writes each word of every selected item once.

use crate::grid::{AxisIndexer, ChunkSelection};
use crate::read::plan::Plan;

/// Most bytes that one chunk may copy to a result: 4 MiB, which take a millisecond or two.
const MOST_BYTES: u64 = 4 << 20;

/// Shortest rows in bytes that are copied to the result one by one: 4 KiB, a page of memory. Shorter rows are assembled
/// in strips, which fit the processor's cache and write the result's pages in order.
pub const LEAST_ROW: u64 = 4096;

/// Shortest rows in bytes that are copied one by one from chunks in JavaScript's memory, which a worker sent or which are
/// stored as their items: 1 KiB. Assembly in strips would copy them twice more, which for this length costs as much as
/// the call that copies a row.
pub const LEAST_ROW_APART: u64 = 1024;

/// Sizes of the words that are copied, in bytes; the largest one that divides an item is used.
const WORDS: [usize; 3] = [4, 2, 1];

/// Layout of a result whose items are copied from chunks unchanged.
#[derive(Debug, Clone)]
pub struct CopyPlan {
    /// Bytes of an item.
    item: usize,
    /// Bytes of a word.
    word: usize,
    /// Bytes from one item to the next along each selected axis; 0 for an axis that is dropped.
    strides: Vec<usize>,
}

impl Plan<'_> {
    /// Copy plan of the result; `None` where items are converted or picked by a list, where a chunk copies more than
    /// 4 MiB, or where its rows are shorter than `least_row` bytes.
    #[must_use]
    pub fn scatter(&self, least_row: u64) -> Option<CopyPlan> {
        let ([column], ChunkSelection::Axes(axes)) = (self.columns(), self.selection()) else { return None };
        let is_run = |picks: &AxisIndexer| matches!(picks, AxisIndexer::Run { .. });
        let as_stored = column.cast.is_none() && column.offset == 0 && !column.data_type.is_variable();
        let item = column.data_type.item_size();
        // The bytes of a big-endian chunk are reversed in a copy of all of it.
        let largest = self.array().largest_chunk();
        let is_turned = self.array().leaves_big_endian();
        let brought = if is_turned { largest } else { largest.min(self.output_size()) };
        let is_whole = item == self.array().metadata.data_type.item_size();
        if !as_stored
            || !is_whole
            || !axes.iter().all(is_run)
            || brought > MOST_BYTES
            || self.has_rows_below(least_row)
        {
            return None;
        }
        let word = WORDS.into_iter().find(|word| item.is_multiple_of(*word))?;
        let mut stride = item;
        let strides = self.lengths().iter().rev().map(|length| {
            let here = if length.is_some() { stride } else { 0 };
            stride = stride.saturating_mul(length.map_or(1, index));
            here
        });
        let mut strides: Vec<usize> = strides.collect();
        strides.reverse();
        Some(CopyPlan { item, word, strides })
    }
}

impl Plan<'_> {
    /// Whether whole chunks are copied, in rows of fewer bytes than `least_row`.
    fn has_rows_below(&self, least_row: u64) -> bool {
        let ChunkSelection::Axes(axes) = self.selection() else { return false };
        let mut row = self.array().metadata.data_type.item_size() as u64;
        for (picks, axis) in axes.iter().zip(self.array().read_grid().axes()).rev() {
            let &AxisIndexer::Run { step, count, .. } = picks else { return false };
            let edge = axis.runs().iter().map(|run| run.edge).max().unwrap_or(1);
            if step > 1 || count < edge.min(axis.extent()) {
                return false;
            }
            row = row.saturating_mul(edge.min(count));
            if edge < count {
                break;
            }
        }
        row < least_row && row < self.output_size()
    }
}

impl CopyPlan {
    /// Bytes of a word: 1, 2 or 4.
    #[must_use]
    pub fn word(&self) -> usize {
        self.word
    }

    /// Walk from a chunk to the result, in words: the start in the chunk and in the result, then for each nested loop,
    /// the outermost first, its count and its step in the chunk and in the result. `chunk_strides` are in bytes;
    /// without strides the walk reads one item, the fill value, for every position.
    #[must_use]
    pub fn walk(&self, selection: &ChunkSelection, chunk_strides: &[usize]) -> Vec<i32> {
        let (mut source, mut target) = (0, 0);
        let mut steps: Vec<[isize; 3]> = Vec::with_capacity(self.strides.len() + 1);
        if let ChunkSelection::Axes(axes) = selection {
            let chunk_strides = chunk_strides.iter().copied().chain(std::iter::repeat(0));
            for ((picks, from), to) in axes.iter().zip(chunk_strides).zip(&self.strides) {
                let &AxisIndexer::Run { first, step, count, output, reversed } = picks else { continue };
                let (from, to) = (from / self.word, to / self.word);
                source += index(first) * from;
                target += index(output) * to;
                let to = to.cast_signed();
                add(
                    &mut steps,
                    [
                        index(count).cast_signed(),
                        (index(step) * from).cast_signed(),
                        if reversed { -to } else { to },
                    ],
                );
            }
        }
        add(&mut steps, [(self.item / self.word).cast_signed(), 1, 1]);
        let begin = [source.cast_signed(), target.cast_signed()];
        // Positions in memory fit an `i32`.
        let number = |place: isize| i32::try_from(place).unwrap_or(i32::MAX);
        begin.into_iter().chain(steps.into_iter().flatten()).map(number).collect()
    }
}

/// Adds an inner loop to the walk, or merges it with the loop around it where both are contiguous.
fn add(steps: &mut Vec<[isize; 3]>, [count, from, to]: [isize; 3]) {
    match steps.last_mut() {
        // A loop of one round is left out.
        Some(_) if count == 1 => {}
        Some(outer) if outer[0] == 1 => *outer = [count, from, to],
        Some(outer) if outer[1] == count * from && outer[2] == count * to => {
            *outer = [outer[0] * count, from, to];
        }
        _ => steps.push([count, from, to]),
    }
}

/// Converts a position in a chunk or an output, which fits `usize` because both are in memory.
fn index(position: impl TryInto<usize>) -> usize {
    position.try_into().unwrap_or(usize::MAX)
}
