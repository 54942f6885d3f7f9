//! `zstd`: one or more Zstandard frames; content checksums are verified, skippable frames skipped.
//!
//! The decoder is zrip, or ruzstd with the feature `zstd-ruzstd`; this file owns what both need: the
//! walk over the frames, and the bound on what they may give.
//! Specs: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd> and
//! <https://www.rfc-editor.org/rfc/rfc8878>
//!
//! ```json
//! { "name": "zstd", "configuration": { "level": 0, "checksum": false } }
//! ```

#[cfg(feature = "systems")]
use rectilinear_zarr_kernels::zstd::DecompressContext;

use super::memory::{Size, reserved};
use crate::error::{Error, Result};

#[cfg(not(feature = "zstd-ruzstd"))]
mod zrip;
#[cfg(not(feature = "zstd-ruzstd"))]
use self::zrip::decode_frame;

#[cfg(feature = "zstd-ruzstd")]
mod ruzstd;
#[cfg(feature = "zstd-ruzstd")]
use self::ruzstd::decode_frame;

pub(super) const NAME: &str = "zstd";
pub(super) const NUMCODECS_NAME: &str = "numcodecs.zstd";

/// zrip writes matches in whole vectors; room for the last one spares a reallocation.
const SLACK: usize = 64;

/// The frames' contents, one after the other.
///
/// Memory is taken once, after all frames were looked at: none where they tell of more than there may be, and never
/// more than their blocks can hold.
pub(super) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let (mut least, mut most) = (0_usize, 0_usize);
    let mut rest = encoded;
    while !rest.is_empty() {
        let frame = next_frame(rest);
        least = least.saturating_add(frame.as_ref().map_or(0, |frame| frame.least));
        if least > size.limit() {
            return Err(size.oversized(NAME));
        }
        let Some(frame) = frame.filter(|frame| frame.least <= frame.most) else {
            let got = format!("a damaged frame after {} bytes", encoded.len() - rest.len());
            return Err(Error::codec(NAME, got, "a whole Zstandard frame"));
        };
        most = most.saturating_add(frame.most);
        rest = &rest[frame.length..];
    }
    let mut decoded = match size {
        Size::Exactly(_) => size.room(SLACK)?,
        Size::AtMost(bytes) => reserved(most.min(bytes).saturating_add(SLACK))?,
    };
    rest = encoded;
    while let Some(frame) = next_frame(rest) {
        if frame.is_data {
            decode_frame(&rest[..frame.length], frame.most, &mut decoded, size)?;
        }
        rest = &rest[frame.length..];
    }
    size.check(NAME, decoded.len())?;
    // A chunk that is kept keeps its room: small text in a frame that does not tell its size had that of whole blocks.
    if decoded.capacity() / 2 > decoded.len() {
        decoded.shrink_to_fit();
    }
    Ok(decoded)
}

/// Frames that are no chunk: what they hold, of which nobody knows the length.
#[cfg(feature = "systems")]
pub(crate) fn unpacked(frames: &[u8], most: usize) -> Result<Vec<u8>> {
    decode(frames, Size::AtMost(most))
}

/// What a frame holds that needs what a context knows, a dictionary; nothing where it is damaged, or holds more.
#[cfg(feature = "systems")]
pub(crate) fn unpacked_by(context: &mut DecompressContext, frame: &[u8], most: usize) -> Option<Vec<u8>> {
    let found = next_frame(frame).filter(|found| found.is_data && found.least <= found.most.min(most))?;
    let mut content = reserved(found.most.min(most).saturating_add(SLACK)).ok()?;
    rectilinear_zarr_kernels::zstd::decode_frame(context, &frame[..found.length], &mut content, most).ok()?;
    Some(content)
}

/// The largest content of a block (RFC 8878, section 3.1.1.2.4): 128 KiB.
const MAX_BLOCK_BYTES: usize = 128 << 10;

/// Where a frame ends, and what is known of its content before it is decoded.
struct Frame {
    /// Whether it is no skippable one.
    is_data: bool,
    /// Bytes of the frame itself.
    length: usize,
    /// The least bytes of its content: those of the blocks that tell, or what the frame says.
    least: usize,
    /// The most bytes of its content.
    most: usize,
}

/// The frame that the bytes start with, or nothing where it is cut short.
///
/// Walked here, block header by block header (RFC 8878, section 3.1), because zrip adds a skippable
/// frame's length unchecked and never comes back from one that says 2^32 - 8.
fn next_frame(bytes: &[u8]) -> Option<Frame> {
    let magic = u32::from_le_bytes(*bytes.first_chunk()?);
    if magic & 0xffff_fff0 == 0x184d_2a50 {
        let length = u32::from_le_bytes(*bytes[4..].first_chunk()?);
        let total = usize::try_from(length).ok()?.checked_add(8)?;
        return (total <= bytes.len()).then_some(Frame { is_data: false, length: total, least: 0, most: 0 });
    }
    if magic != 0xfd2f_b528 {
        return None;
    }
    let descriptor = *bytes.get(4)?;
    let single_segment = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => usize::from(single_segment),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let start = 5 + usize::from(!single_segment) + dictionary;
    let mut at = start + content_size;
    let announced = announced(bytes.get(start..at)?);
    let (mut least, mut most) = (0_usize, 0_usize);
    loop {
        let header = bytes.get(at..at + 3)?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let block = usize::try_from(header >> 3).ok()?;
        // Stored as they are, one byte that is repeated, compressed.
        let (stored, content) = match header >> 1 & 3 {
            0 => (block, block..=block),
            1 => (1, block..=block),
            _ => (block, 0..=MAX_BLOCK_BYTES),
        };
        least = least.saturating_add(*content.start());
        most = most.saturating_add(*content.end());
        at += 3 + stored;
        if header & 1 == 1 {
            break;
        }
    }
    if let Some(announced) = announced {
        (least, most) = (least.max(announced), most.min(announced));
    }
    at += if descriptor & 4 == 0 { 0 } else { 4 };
    (at <= bytes.len()).then_some(Frame { is_data: true, length: at, least, most })
}

/// The content's size in a frame's header, where there is one; what no memory has is the most that there is.
fn announced(field: &[u8]) -> Option<usize> {
    let mut number = [0; 8];
    number.get_mut(..field.len())?.copy_from_slice(field);
    // Two bytes count from 256 on, as one has the numbers below.
    let number = u64::from_le_bytes(number) + if field.len() == 2 { 256 } else { 0 };
    (!field.is_empty()).then(|| usize::try_from(number).unwrap_or(usize::MAX))
}
