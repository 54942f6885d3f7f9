//! szip: the length of the content in four bytes, then a stream of CCSDS 121.0-B, as libaec and szip write it.
//!
//! Items of 32 and of 64 bits are stored as their bytes, first bytes first. A scanline is as long as the writer chose; a
//! block never crosses one, so that its last block is filled up.
//!
//! A length of all bits, which no chunk has, says that the content follows as it is: so the file's chunks that skip the
//! filter are shown (`src/source/hdf5/filter.rs`).

use rectilinear_zarr_kernels::decoders::ccsds::{PREDICTED, Samples, integers};
use rectilinear_zarr_kernels::unshuffle;

use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::unwritten;

/// Names the values that the file states for the filter, for errors.
pub(super) const VALUES: &str = "options, the pixels of a block (even, at most 32), the bits of a pixel (1 to 24, 32 or 64) and \
                                 the pixels of a scanline (a block to 4096 blocks)";

/// Options that matter: most significant byte first, and predicted numbers.
const BIG_ENDIAN: u32 = 16;
const NEAREST: u32 = 32;

/// Most pixels of a block, and most blocks of a scanline.
const MOST: (u32, u32) = (32, 4096);

/// More bytes of content than a byte of a stream can stand for: 64 blocks of 32 numbers of 4 bytes take 9 bits.
const MOST_EXPANSION: usize = 8192;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Szip {
    samples: Samples,
    /// Bytes of a number.
    size: usize,
    is_big_endian: bool,
    /// Bytes of an item whose bytes are numbers of their own; 1 where the items are the numbers.
    planes: usize,
    /// Numbers of a scanline.
    scanline: usize,
}

impl Szip {
    /// The filter of these values.
    pub(super) fn new(values: &[u32]) -> Option<Self> {
        let [options, block, pixel, scanline] = *values.first_chunk()?;
        if block == 0 || block % 2 == 1 || block > MOST.0 || !(block..=MOST.1 * block).contains(&scanline) {
            return None;
        }
        let (bits, planes) = match pixel {
            1..=24 => (pixel, 1),
            32 | 64 => (8, pixel as usize / 8),
            _ => return None,
        };
        let size = match bits {
            ..=8 => 1,
            9..=16 => 2,
            _ => 4,
        };
        let flags = if options & NEAREST == 0 { 0 } else { PREDICTED };
        let samples = Samples { bits, block, interval: scanline.div_ceil(block), flags };
        let is_big_endian = options & BIG_ENDIAN != 0;
        Some(Self { samples, size, is_big_endian, planes, scanline: scanline as usize })
    }

    /// The content.
    pub(super) fn decode(self, codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
        let Some((length, stream)) = encoded.split_first_chunk() else {
            return Err(Error::codec(codec, encoded.len(), "at least the 4 bytes of the length"));
        };
        if *length == [0xff; 4] {
            size.check(codec, stream.len())?;
            return Ok(stream.to_vec());
        }
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        size.check(codec, length)?;
        if length % (self.size * self.planes) != 0 {
            return Err(Error::codec(codec, length, "whole items"));
        }
        if length / MOST_EXPANSION > stream.len() {
            return Err(Error::codec(codec, format!("a stream of {} bytes", stream.len()), length));
        }
        let damaged = |words: &'static str| Error::codec(codec, words, length);
        let line = self.scanline * self.size;
        let padded = self.samples.interval as usize * self.samples.block as usize * self.size;
        // A scanline is filled up to less than twice its length.
        let (lines, rest) = (length / line, length % line);
        let mut content = unwritten(lines.saturating_mul(padded).saturating_add(rest))?;
        integers(stream, &self.samples, self.size, self.is_big_endian, &mut content).map_err(damaged)?;
        if padded > line {
            for nth in 1..lines + usize::from(rest > 0) {
                let start = nth * padded;
                let end = content.len().min(start + line);
                content.copy_within(start..end, nth * line);
            }
            content.truncate(length);
        }
        if self.planes == 1 {
            return Ok(content);
        }
        let mut items = unwritten(length)?;
        unshuffle::undo(self.planes, &content, &mut items);
        Ok(items)
    }
}
