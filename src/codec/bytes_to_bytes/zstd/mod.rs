//! `zstd`: one or more Zstandard frames; content checksums are verified, skippable frames are skipped.
//!
//! The decoder is zrip, or ruzstd with the Cargo feature `zstd-ruzstd`. Both need the frame lengths of `frame.rs`, and
//! the bound on the content in this file. Specs:
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd> and
//! <https://www.rfc-editor.org/rfc/rfc8878>
//!
//! ```json
//! { "name": "zstd", "configuration": { "level": 0, "checksum": false } }
//! ```

mod frame;
mod rehearsal;
#[cfg(feature = "zstd-ruzstd")]
mod ruzstd;
#[cfg(not(feature = "zstd-ruzstd"))]
mod zrip;

#[cfg(feature = "systems")]
use rectilinear_zarr_kernels::decoders::zstd::{DecompressContext, FrameStream};

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

/// Bytes beyond the content: zrip copies matches in whole vectors, and room for the last one avoids a reallocation.
const SLACK: usize = 64;

/// The frames' contents, one after the other.
///
/// Memory is allocated once, after all frame headers are read: at most what their blocks can hold, and none where the
/// frames declare more than the size allows.
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
    // A cached chunk would keep its spare capacity: for a frame without a content size, that of whole blocks.
    if decoded.capacity() / 2 > decoded.len() {
        decoded.shrink_to_fit();
    }
    Ok(decoded)
}

/// Frames that are not a chunk, decoded in steps.
#[cfg(feature = "systems")]
pub(crate) struct ZstdStream {
    stream: FrameStream,
    content: Vec<u8>,
    most: usize,
}

#[cfg(feature = "systems")]
impl ZstdStream {
    /// Bytes of content that one step makes.
    const STEP_BYTES: usize = 256 << 10;

    /// Begins to decode frames whose content has at most `most` bytes.
    pub(crate) fn new(frames: Vec<u8>, most: usize) -> Result<Self> {
        let (mut rest, mut room) = (&frames[..], 0_usize);
        while let Some(frame) = next_frame(rest).filter(|frame| frame.least <= frame.most) {
            if room.saturating_add(frame.least) > most {
                return Err(Size::AtMost(most).oversized(NAME));
            }
            room = room.saturating_add(frame.most);
            rest = &rest[frame.length..];
        }
        let content = reserved(room.min(most).saturating_add(SLACK))?;
        Ok(Self { stream: FrameStream::new(frames, most), content, most })
    }

    /// Does a step of the work; returns whether all of it is done.
    pub(crate) fn step(&mut self) -> Result<bool> {
        let came = self.stream.read(&mut self.content, Self::STEP_BYTES);
        let came = came.map_err(|error| Error::codec(NAME, error, format!("{} bytes", self.most)))?;
        if self.content.len() > self.most {
            return Err(Size::AtMost(self.most).oversized(NAME));
        }
        Ok(came == 0)
    }

    /// The content, once all of the work is done.
    pub(crate) fn content(self) -> Vec<u8> {
        self.content
    }
}

// A derived implementation would link the formatting of the decoder into the module.
#[cfg(feature = "systems")]
impl std::fmt::Debug for ZstdStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ZstdStream")
    }
}

/// Decodes frames that are not a chunk, whose content has at most `most` bytes.
#[cfg(feature = "systems")]
pub(crate) fn unpacked(frames: &[u8], most: usize) -> Result<Vec<u8>> {
    decode(frames, Size::AtMost(most))
}

/// Decodes a frame with a context's dictionary; `None` where it is damaged or has more than `most` bytes of content.
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
