//! `zstd`: one or more Zstandard frames; content checksums are verified, skippable frames skipped.
//!
//! The decoder is zrip, or ruzstd with the feature `zstd-ruzstd`; both need the walk over the frames (`frame.rs`) and
//! the bound on their content, which this file has.
//! Specs: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd> and
//! <https://www.rfc-editor.org/rfc/rfc8878>
//!
//! ```json
//! { "name": "zstd", "configuration": { "level": 0, "checksum": false } }
//! ```

mod frame;
#[cfg(feature = "zstd-ruzstd")]
mod ruzstd;
#[cfg(not(feature = "zstd-ruzstd"))]
mod zrip;

#[cfg(feature = "systems")]
use rectilinear_zarr_kernels::decoders::zstd::DecompressContext;

pub(in crate::codec) use self::frame::NAME;
use self::frame::next_frame;
use crate::codec::size::Size;
use crate::error::{Error, Result};
use crate::output::memory::reserved;

#[cfg(not(feature = "zstd-ruzstd"))]
use self::zrip::decode_frame;

#[cfg(feature = "zstd-ruzstd")]
use self::ruzstd::decode_frame;

pub(crate) const NUMCODECS_NAME: &str = "numcodecs.zstd";

/// zrip writes matches in whole vectors; room for the last one spares a reallocation.
const SLACK: usize = 64;

/// The frames' contents, one after the other.
///
/// Memory is taken once, after all frames were looked at: none where they tell of more than there may be, and never
/// more than their blocks can hold.
pub(in crate::codec) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
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

/// Content of a frame that needs a context's dictionary; nothing where it is damaged, or holds more than `most` bytes.
#[cfg(feature = "systems")]
pub(crate) fn unpacked_by(context: &mut DecompressContext, frame: &[u8], most: usize) -> Option<Vec<u8>> {
    let found = next_frame(frame).filter(|found| found.is_data && found.least <= found.most.min(most))?;
    let mut content = reserved(found.most.min(most).saturating_add(SLACK)).ok()?;
    rectilinear_zarr_kernels::decoders::zstd::decode_frame(
        context,
        &frame[..found.length],
        &mut content,
        most,
    )
    .ok()?;
    Some(content)
}
