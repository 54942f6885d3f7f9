//! Direct copies: how items of a chunk are copied to a result in JavaScript memory, as numbers for the copying loop.
//!
//! Invariant: a walk reads and writes each word of every selected item once.

use crate::grid::{AxisIndexer, ChunkSelection};

/// Shortest rows in bytes that are copied to the result one by one: 4 KiB, a page of memory. Shorter rows are assembled
/// in staging buffers, which fit the processor's cache and write the result's pages in order.
pub const LEAST_ROW: u64 = 4096;

/// Shortest rows in bytes that are copied one by one from chunks in JavaScript's memory, which a worker sent or which are
/// stored as their items: 1 KiB. Assembly in staging buffers would copy them twice more, which for this length costs as much as
/// the call that copies a row.
pub const LEAST_ROW_APART: u64 = 1024;

/// Shortest rows in bytes that are copied one by one where staging buffers would hold more than
/// [`super::MAX_STAGED_BYTES`]: any.
pub const LEAST_ROW_UNSTAGED: u64 = 0;

/// Sizes of the words that are copied, in bytes; the largest one that divides an item is used.
const WORDS: [usize; 3] = [4, 2, 1];

/// Layout of a result whose items are copied from chunks unchanged.
#[derive(Debug, Clone)]
pub struct DirectCopy {
    /// Bytes of an item.
    item: usize,
    /// Bytes of a word.
    word: usize,
    /// Bytes from one item to the next along each selected axis; 0 for an axis that is dropped.
    strides: Vec<usize>,
}

impl DirectCopy {
    /// Copies of items of `item` bytes to a result of these lengths along each selected axis; `None` for items without
    /// bytes.
    #[must_use]
    pub fn new(item: usize, lengths: &[Option<u64>]) -> Option<Self> {
        let word = WORDS.into_iter().find(|word| item.is_multiple_of(*word))?;
        let mut stride = item;
        let strides = lengths.iter().rev().map(|length| {
            let here = if length.is_some() { stride } else { 0 };
            stride = stride.saturating_mul(length.map_or(1, index));
            here
        });
        let mut strides: Vec<usize> = strides.collect();
        strides.reverse();
        Some(Self { item, word, strides })
    }

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
