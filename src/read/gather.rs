//! Few items of an uncompressed chunk that is in memory elsewhere: which of its words to fetch one by one.
//!
//! Invariant: the words are those of the items that a task picks, in the order of the array's axes, each axis upwards,
//! so that they are the items of a chunk that has no others.

use std::borrow::Cow;

use super::array::Array;
use super::task::Task;
use crate::codec::Decoded;
use crate::error::Result;
use crate::grid::{Picks, Wanted};
use crate::source::{ByteRange, Location, Request};

/// The least share of a chunk's items that is worth the whole chunk: to fetch one word takes as long as to copy 32 bytes.
const WHOLE_SHARE: u64 = 8;

/// Numbers of 1, 2 or 4 bytes, of which items consist.
const WORDS: [usize; 3] = [4, 2, 1];

/// A walk over some words of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gather {
    /// Store key of the chunk.
    pub key: String,
    /// Bytes that it must have.
    pub length: u32,
    /// Bytes of a word.
    pub word: u32,
    /// The first word, counted from the chunk's first.
    pub start: u32,
    /// How many steps of how many words to take, outermost first.
    pub steps: Vec<(u32, u32)>,
    /// The task of a chunk of these items alone.
    pub task: Task,
}

impl Gather {
    /// Bytes of all the words.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.steps
            .iter()
            .fold(u64::from(self.word), |bytes, (count, _)| bytes.saturating_mul(u64::from(*count)))
    }
}

impl Array {
    /// The words of a task's chunk that hold what the task picks; nothing where the chunk is compressed or a part of a
    /// value, where it is best read whole, or where picks lie at no equal distances.
    #[must_use]
    pub fn gather(&self, task: &Task) -> Option<Gather> {
        let Wanted::Axes(axes) = &task.wanted else { return None };
        let Location::Stored(Request { key, range: ByteRange::All }) = &task.location else { return None };
        let length = self.decoded_bytes(task);
        let item = self.metadata.data_type.item_size();
        let wanted = task.wanted.count().saturating_mul(item as u64);
        if task.depth > 0 || wanted == 0 || wanted > length / WHOLE_SHARE {
            return None;
        }
        let strides = self.pipeline.plain_strides(&task.chunk_shape)?;
        let word = WORDS.into_iter().find(|word| item.is_multiple_of(*word))?;
        let mut start = 0;
        let mut steps: Vec<(u32, u32)> = Vec::with_capacity(axes.len() + 1);
        let mut dense = Vec::with_capacity(axes.len());
        for (picks, stride) in axes.iter().zip(&strides) {
            let &Picks::Run { first, step, count, output, reversed } = picks else { return None };
            let stride = (stride / word) as u64;
            start += first * stride;
            // A step of one pick is never taken, and may be larger than the chunk.
            let step = if count == 1 { 0 } else { step * stride };
            add(&mut steps, u32::try_from(count).ok()?, u32::try_from(step).ok()?);
            dense.push(Picks::Run { first: 0, step: 1, count, output, reversed });
        }
        add(&mut steps, u32::try_from(item / word).ok()?, 1);
        let chunk_shape = dense.iter().map(Picks::count).collect();
        let task = Task { chunk_shape, wanted: Wanted::Axes(dense), ..task.clone() };
        let (length, start) = (u32::try_from(length).ok()?, u32::try_from(start).ok()?);
        Some(Gather { key: key.clone(), length, word: u32::try_from(word).ok()?, start, steps, task })
    }

    /// The chunk that the words make.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where they are more or fewer.
    pub fn decode_gathered<'a>(&self, gather: &Gather, words: Cow<'a, [u8]>) -> Result<Decoded<'a>> {
        self.pipeline
            .decode_in_order(words, &gather.task.chunk_shape)
            .map_err(|error| gather.task.blame(error))
    }
}

/// Goes along one more axis inside of the others, which is joined to the one around it where their steps are one.
fn add(steps: &mut Vec<(u32, u32)>, count: u32, step: u32) {
    match steps.last_mut() {
        Some(outer) if count == 1 || outer.0 == 1 || outer.1 == count.saturating_mul(step) => {
            *outer = if count == 1 { *outer } else { (outer.0 * count, step) };
        }
        _ => steps.push((count, step)),
    }
}
