//! The header of a Blosc frame, and the places of its blocks.
//!
//! Invariant: a [`BloscFrame`] has at most as much content as the pipeline expects, its bytes are complete, and every
//! number of its header is checked here.

use std::ops::Range;

use super::inner::{InnerCompressor, NAME};
use crate::codec::kinds::Size;
use crate::error::{Error, Quantity, Result};
use crate::output::memory::to_memory;

/// Bytes of the header: version, inner version, flags and item size, then the sizes of content, block and frame.
const HEADER: usize = 16;

/// Format version of c-blosc 1; c-blosc 2 writes 3 and above.
const VERSION: u8 = 2;

/// Largest item size in bytes for which a block is split into streams, one for each byte of an item.
const MAX_STREAMS: usize = 16;

/// Least bytes of a stream for which a block is split.
const MIN_STREAM: usize = 128;

/// Shuffle that was applied to a block before its compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    None,
    Bytes,
    Bits,
}

/// A frame whose header is read and checked.
#[derive(Debug)]
pub(in crate::codec) struct BloscFrame<'a> {
    bytes: &'a [u8],
    /// Bytes of the content.
    pub(crate) length: usize,
    /// Bytes of the content that each block holds; the last block may hold fewer.
    pub(crate) block_size: usize,
    /// Item size in bytes for the shuffles; it may differ from the array's item size.
    pub(crate) item_size: usize,
    pub(crate) filter: ShuffleMode,
    pub(crate) inner: InnerCompressor,
    /// Whether the content is stored uncompressed.
    pub(crate) stored: bool,
    split: bool,
}

impl<'a> BloscFrame<'a> {
    /// Reads the header; `size` bounds the content before any memory is taken for it.
    pub(in crate::codec) fn parse(bytes: &'a [u8], size: Size) -> Result<Self> {
        let Some(&[version, inner_version, flags, item_size, ref sizes @ ..]) = bytes.first_chunk::<HEADER>()
        else {
            return Err(Error::codec(NAME, bytes.len(), "at least the 16 bytes of the header"));
        };
        let [length, block_size, frame_size] = [0, 4, 8].map(|at| number(sizes, at));
        if version != VERSION {
            let got = format!("a frame of format version {version}");
            return Err(Error::codec(NAME, got, "format version 2, that of Blosc 1"));
        }
        if frame_size != bytes.len() as u64 {
            return Err(Error::codec(NAME, bytes.len(), format!("{frame_size} bytes, as its header states")));
        }
        // Checked before memory is allocated. A length that does not fit into usize fails the check too.
        size.check(NAME, usize::try_from(length).unwrap_or(usize::MAX))?;
        if item_size == 0 || flags & 0x08 != 0 {
            let got = format!("items of {item_size} bytes and flags {flags:#04x}");
            return Err(Error::codec(NAME, got, "a Blosc 1 header"));
        }
        if length > 0 && !(1..=length).contains(&block_size) {
            let got = format!("blocks of {block_size} bytes");
            return Err(Error::codec(NAME, got, format!("1 to {length} bytes in a block")));
        }
        let stored = flags & 0x02 != 0;
        let frame = Self {
            bytes,
            length: to_memory(length)?,
            block_size: to_memory(block_size.min(length))?,
            item_size: usize::from(item_size),
            // Where a header sets both flags, c-blosc shuffles bytes; items of one byte have no byte shuffle.
            filter: match flags & 0x05 {
                1 | 5 if item_size > 1 => ShuffleMode::Bytes,
                4 | 5 => ShuffleMode::Bits,
                _ => ShuffleMode::None,
            },
            inner: InnerCompressor::parse(flags >> 5, inner_version, stored || length == 0)?,
            stored,
            split: flags & 0x10 == 0,
        };
        let least = if stored { frame.length } else { frame.blocks().saturating_mul(4) };
        let enough = HEADER.saturating_add(least);
        if bytes.len() < enough || stored && bytes.len() > enough {
            return Err(Error::codec(NAME, bytes.len(), enough));
        }
        if !stored && frame.block_size / frame.inner.most_expansion() > bytes.len() {
            return Err(Error::codec(NAME, format!("a frame of {} bytes", bytes.len()), block_size));
        }
        Ok(frame)
    }

    /// Number of blocks.
    pub(in crate::codec) fn blocks(&self) -> usize {
        if self.length == 0 { 0 } else { self.length.div_ceil(self.block_size) }
    }

    /// Range of the content that a range of blocks holds.
    pub(in crate::codec) fn content_of(&self, blocks: Range<usize>) -> Range<usize> {
        let border = |block: usize| block.saturating_mul(self.block_size).min(self.length);
        border(blocks.start)..border(blocks.end)
    }

    /// A range of the content of an uncompressed frame.
    pub(crate) fn stored_bytes(&self, content: Range<usize>) -> Result<&'a [u8]> {
        let found = self.bytes[HEADER..].get(content);
        found.ok_or_else(|| Error::codec(NAME, self.bytes.len(), HEADER + self.length))
    }

    /// Bytes of the frame from the first stream of a block on.
    ///
    /// Blocks may be in any order, as several threads wrote them. Several blocks may begin at one place: the header
    /// bounds the content all the same.
    pub(crate) fn block_bytes(&self, block: usize) -> Result<&'a [u8]> {
        let start = number(self.bytes, HEADER + 4 * block);
        let first = HEADER + 4 * self.blocks();
        let found = usize::try_from(start).ok().filter(|&start| start >= first);
        found.and_then(|start| self.bytes.get(start..)).ok_or_else(|| {
            let got = format!("block {block} at byte {start}");
            Error::codec(NAME, got, format!("bytes {first} to {}", self.bytes.len()))
        })
    }

    /// Number of streams of a block of `block` bytes. A short last block is never split.
    pub(crate) fn streams(&self, block: usize) -> usize {
        let splittable = self.item_size <= MAX_STREAMS && block / self.item_size >= MIN_STREAM;
        if self.split && splittable && block == self.block_size && block.is_multiple_of(self.item_size) {
            self.item_size
        } else {
            1
        }
    }
}

/// The stream at the start of the bytes, and the bytes after it.
pub(crate) fn next_stream(bytes: &[u8]) -> Result<(&[u8], &[u8])> {
    let split = bytes.split_at_checked(4).and_then(|(length, rest)| {
        let length = usize::try_from(number(length, 0)).ok()?;
        rest.split_at_checked(length)
    });
    let expected = || Quantity::from("a stream that ends within the frame");
    split.ok_or_else(|| Error::codec(NAME, format!("{} bytes from its start", bytes.len()), expected()))
}

/// A number of four bytes, little endian. The caller checks that `bytes` has them.
fn number(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 4].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
