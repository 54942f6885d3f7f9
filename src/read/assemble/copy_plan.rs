//! Where the items of chunks go in a result that another memory than ours holds, as numbers for whoever copies there.
//!
//! Invariant: a walk meets each word of every item that is wanted of a chunk once, on either side.

use crate::grid::{AxisIndexer, ChunkSelection};
use crate::read::plan::Plan;

/// The most bytes of a result that one chunk brings: 4 MiB, which take a millisecond or two to copy.
const MOST_BYTES: u64 = 4 << 20;

/// The shortest rows of a chunk, if it has any, that are copied to a result one by one: 4 KiB, a page of memory. Shorter
/// ones come to it in the order in which its pages are first written, and together, from a part of it in the cache.
pub const LEAST_ROW: u64 = 4096;

/// The shortest rows that are copied one by one where another instance sent the chunks: 1 KiB. To be put together they
/// would be copied twice more, which takes as long for so much as the call that copies a row.
pub const LEAST_ROW_SENT: u64 = 1024;

/// Numbers of 4, 2 or 1 bytes, of which items consist.
const WORDS: [usize; 3] = [4, 2, 1];

/// How a result lies in memory, whose items are those of chunks as they are.
#[derive(Debug, Clone)]
pub struct CopyPlan {
    /// Bytes of an item.
    item: usize,
    /// Bytes of a word.
    word: usize,
    /// Bytes from one item to the next along each axis that is wanted; 0 for an axis that is dropped.
    strides: Vec<usize>,
}

impl Plan<'_> {
    /// How the result lies in memory; nothing where items change, where they are picked one by one, or where a chunk
    /// brings so many that others would wait for them, or rows of fewer bytes than these.
    #[must_use]
    pub fn scatter(&self, least_row: u64) -> Option<CopyPlan> {
        let ([column], ChunkSelection::Axes(axes)) = (self.columns(), self.wanted()) else { return None };
        let is_run = |picks: &AxisIndexer| matches!(picks, AxisIndexer::Run { .. });
        let stays = column.cast.is_none() && !self.array().leaves_big_endian();
        let as_stored = stays && column.offset == 0 && !column.data_type.is_variable();
        let item = column.data_type.item_size();
        let brought = self.array().largest_chunk().min(self.output_size());
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
    /// Whether chunks come whole, in rows of which each has fewer bytes.
    fn has_rows_below(&self, least_row: u64) -> bool {
        let ChunkSelection::Axes(axes) = self.wanted() else { return false };
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

    /// The way from a chunk, whose items lie these bytes apart along its axes, to the result, in words: where it begins
    /// on either side, then for each step, the outermost first, how often it is taken and how far it goes on either
    /// side. Without a chunk there are no strides of it, and the way starts from one item again and again.
    #[must_use]
    pub fn walk(&self, wanted: &ChunkSelection, chunk_strides: &[usize]) -> Vec<i32> {
        let (mut source, mut target) = (0, 0);
        let mut steps: Vec<[isize; 3]> = Vec::with_capacity(self.strides.len() + 1);
        if let ChunkSelection::Axes(axes) = wanted {
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
        // What is in memory has places that fit.
        let number = |place: isize| i32::try_from(place).unwrap_or(i32::MAX);
        begin.into_iter().chain(steps.into_iter().flatten()).map(number).collect()
    }
}

/// One more step inside of the others, joined to the one around it where the two are one.
fn add(steps: &mut Vec<[isize; 3]>, [count, from, to]: [isize; 3]) {
    match steps.last_mut() {
        // A step that is taken once goes nowhere.
        Some(_) if count == 1 => {}
        Some(outer) if outer[0] == 1 => *outer = [count, from, to],
        Some(outer) if outer[1] == count * from && outer[2] == count * to => {
            *outer = [outer[0] * count, from, to];
        }
        _ => steps.push([count, from, to]),
    }
}

/// A position inside a chunk or an output that is in memory, and so fits.
fn index(position: impl TryInto<usize>) -> usize {
    position.try_into().unwrap_or(usize::MAX)
}
