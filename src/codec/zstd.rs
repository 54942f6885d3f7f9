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

use super::memory::Size;
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
pub(super) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut decoded = size.room(SLACK)?;
    let mut rest = encoded;
    while !rest.is_empty() {
        let Some((frame, length)) = next_frame(rest) else {
            let got = format!("a damaged frame after {} bytes", encoded.len() - rest.len());
            return Err(Error::codec(NAME, got, "a whole Zstandard frame"));
        };
        if frame == Frame::Data {
            decode_frame(&rest[..length], &mut decoded, size)?;
        }
        rest = &rest[length..];
    }
    size.check(NAME, decoded.len())?;
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
    let (Frame::Data, length) = next_frame(frame)? else { return None };
    let mut content = Vec::new();
    rectilinear_zarr_kernels::zstd::decode_frame(context, &frame[..length], &mut content, most).ok()?;
    Some(content)
}

#[derive(PartialEq, Eq)]
enum Frame {
    Data,
    Skippable,
}

/// The kind and length of the frame that the bytes start with, or nothing where it is cut short.
///
/// Walked here, block header by block header (RFC 8878, section 3.1), because zrip adds a skippable
/// frame's length unchecked and never comes back from one that says 2^32 - 8.
fn next_frame(bytes: &[u8]) -> Option<(Frame, usize)> {
    let magic = u32::from_le_bytes(*bytes.first_chunk()?);
    if magic & 0xffff_fff0 == 0x184d_2a50 {
        let length = u32::from_le_bytes(*bytes[4..].first_chunk()?);
        let total = usize::try_from(length).ok()?.checked_add(8)?;
        return (total <= bytes.len()).then_some((Frame::Skippable, total));
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
    let mut at = 5 + usize::from(!single_segment) + dictionary + content_size;
    loop {
        let header = bytes.get(at..at + 3)?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let block = if header >> 1 & 3 == 1 { 1 } else { usize::try_from(header >> 3).ok()? };
        at += 3 + block;
        if header & 1 == 1 {
            break;
        }
    }
    at += if descriptor & 4 == 0 { 0 } else { 4 };
    (at <= bytes.len()).then_some((Frame::Data, at))
}
