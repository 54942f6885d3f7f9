//! Snappy's raw format: literals, and copies of what came before.
//!
//! Spec: <https://github.com/google/snappy/blob/main/format_description.txt>

use super::faults::damaged;
use super::thrift::varint;
use crate::error::{Error, Result};
use crate::output::memory::reserved;

/// Bytes of content that one step makes.
const STEP_BYTES: usize = 256 << 10;

/// A block while it is decompressed.
#[derive(Debug)]
pub(super) struct Snappy {
    block: Vec<u8>,
    at: usize,
    length: usize,
    content: Vec<u8>,
}

impl Snappy {
    /// Begins to decompress a block, which must say that it has this many bytes.
    pub(super) fn new(block: &[u8], length: usize) -> Result<Self> {
        let mut rest = block;
        let said = varint(&mut rest)?;
        if usize::try_from(said) != Ok(length) {
            return Err(damaged(format!("a page has {said} bytes in place of {length}")));
        }
        let content = reserved(length)?;
        Ok(Self { block: block.to_vec(), at: block.len() - rest.len(), length, content })
    }

    /// Does a step of the work; returns whether all of it is done.
    pub(super) fn step(&mut self) -> Result<bool> {
        let Self { block, at, length, content } = self;
        let (length, stop) = (*length, content.len() + STEP_BYTES);
        let mut rest = &block[*at..];
        while content.len() < stop
            && let Some((tag, after)) = rest.split_first()
        {
            rest = after;
            let high = usize::from(tag >> 2);
            let (offset, count) = match tag & 3 {
                0 => {
                    let count = if high < 60 { high } else { number(&mut rest, high - 59)? };
                    let (literal, after) = count
                        .checked_add(1)
                        .filter(|count| *count <= length - content.len())
                        .and_then(|count| rest.split_at_checked(count))
                        .ok_or_else(broken)?;
                    content.extend_from_slice(literal);
                    rest = after;
                    continue;
                }
                1 => ((high >> 3) << 8 | number(&mut rest, 1)?, 4 + (high & 7)),
                2 => (number(&mut rest, 2)?, 1 + high),
                _ => (number(&mut rest, 4)?, 1 + high),
            };
            if offset == 0 || offset > content.len() || count > length - content.len() {
                return Err(broken());
            }
            // A copy may reach into itself, which repeats its start.
            for _ in 0..count {
                content.push(content[content.len() - offset]);
            }
        }
        *at = block.len() - rest.len();
        Ok(rest.is_empty())
    }

    /// The content, once all of the work is done.
    pub(super) fn content(self) -> Vec<u8> {
        self.content
    }
}

/// Takes a little-endian number of so many bytes.
fn number(rest: &mut &[u8], bytes: usize) -> Result<usize> {
    let (taken, after) = rest.split_at_checked(bytes).ok_or_else(broken)?;
    *rest = after;
    Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

fn broken() -> Error {
    damaged("a snappy block is broken")
}
