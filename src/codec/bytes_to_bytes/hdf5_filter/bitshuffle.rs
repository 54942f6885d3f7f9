//! Bitshuffle in blocks of items, each of which may be compressed by LZ4 or zstd after its length. Less than eight items
//! at the end are stored as they are.

use rectilinear_zarr_kernels::bitshuffle;

use super::blocks::{counted, head};
use super::lz4_blocks::fill;
use crate::codec::bytes_to_bytes::zstd;
use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::{buffer, unwritten};

/// Names the values that the file states for the filter, for errors.
pub(super) const VALUES: &str = "two numbers of a version, the bytes of an item, a block's items (a multiple of 8) and a \
                                 compressor: 0, 2 (LZ4) or 3 (zstd)";

/// Most bytes of an item and of a block.
const MOST: usize = 1 << 30;

/// The most bytes of content that a byte of a compressed block stands for: a block of zstd of 128 KiB takes four.
const MOST_EXPANSION: usize = 32 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bitshuffle {
    /// Bytes of an item.
    item: usize,
    /// Items of a block.
    block: usize,
    compressor: Compressor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compressor {
    None,
    Lz4,
    Zstd,
}

impl Bitshuffle {
    /// The filter of these values.
    pub(super) fn new(values: &[u32]) -> Option<Self> {
        let value = |nth: usize| values.get(nth).map_or(0, |value| *value as usize);
        let item = Some(value(2)).filter(|item| (1..=MOST).contains(item))?;
        let block = match value(3) {
            0 => bitshuffle::usual_block(item),
            block => Some(block).filter(|block| block % 8 == 0)?,
        };
        block.checked_mul(item).filter(|bytes| *bytes <= MOST)?;
        let compressor = match value(4) {
            0 => Compressor::None,
            2 => Compressor::Lz4,
            3 => Compressor::Zstd,
            _ => return None,
        };
        Some(Self { item, block, compressor })
    }

    /// Whether blocks are compressed.
    pub(super) fn compresses(self) -> bool {
        self.compressor != Compressor::None
    }

    /// The content.
    pub(super) fn decode(self, codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
        let (length, block, mut rest) = if self.compresses() {
            head(codec, encoded, size)?
        } else {
            size.check(codec, encoded.len())?;
            (encoded.len(), self.block * self.item, encoded)
        };
        let eight = 8 * self.item;
        if block == 0 || block % eight != 0 || block > MOST {
            let found = format!("blocks of {block} bytes");
            return Err(Error::codec(codec, found, format!("blocks of a multiple of {eight} bytes")));
        }
        if length / MOST_EXPANSION > encoded.len() {
            return Err(Error::codec(codec, format!("a chunk of {} bytes", encoded.len()), length));
        }
        let mut content = unwritten(length)?;
        let mut planes = buffer(block.min(length))?;
        let mut bits = buffer(if self.compressor == Compressor::Lz4 { planes.len() } else { 0 })?;
        let (shuffled, last) = content.split_at_mut(length - length % eight);
        for items in shuffled.chunks_mut(block) {
            match self.compressor {
                Compressor::None => {
                    let (bits, after) = rest.split_at(items.len());
                    rest = after;
                    bitshuffle::undo(self.item, bits, &mut planes, items);
                }
                Compressor::Lz4 => {
                    let bits = &mut bits[..items.len()];
                    fill(codec, counted(codec, &mut rest)?, bits)?;
                    bitshuffle::undo(self.item, bits, &mut planes, items);
                }
                Compressor::Zstd => {
                    let bits = zstd::decode(counted(codec, &mut rest)?, Size::Exactly(items.len())).map_err(
                        |error| match error {
                            Error::Codec(error) => Error::codec(codec, error.got, error.expected),
                            error => error,
                        },
                    )?;
                    bitshuffle::undo(self.item, &bits, &mut planes, items);
                }
            }
        }
        let stored = rest.get(..last.len());
        last.copy_from_slice(stored.ok_or_else(|| Error::codec(codec, rest.len(), last.len()))?);
        Ok(content)
    }
}
