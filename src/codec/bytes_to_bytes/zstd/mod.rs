//! `zstd`: one or more Zstandard frames; content checksums are verified, skippable frames are skipped.
//!
//! The decoder is zrip, or ruzstd with the Cargo feature `zstd-ruzstd`. Both need the frame lengths and
//! the bound on the content that are found here. Specs:
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd> and
//! <https://www.rfc-editor.org/rfc/rfc8878>
//!
//! ```json
//! { "name": "zstd", "configuration": { "level": 0, "checksum": false } }
//! ```

#[cfg(feature = "zstd-ruzstd")]
mod ruzstd;

use std::borrow::Cow;
#[cfg(not(feature = "zstd-ruzstd"))]
use std::cell::Cell;

#[cfg(any(feature = "systems", not(feature = "zstd-ruzstd")))]
use rectilinear_zarr_kernels::for_speed::DecompressContext;
#[cfg(not(feature = "zstd-ruzstd"))]
use rectilinear_zarr_kernels::for_speed::{DecompressError, decode_zstd_frame};

#[cfg(feature = "zstd-ruzstd")]
use self::ruzstd::decode_frame;
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
#[cfg(not(feature = "zstd-ruzstd"))]
use crate::error::Quantity;
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::memory::reserved;

const NAME: &str = Zstd::NAMES[0];

/// The codec, which has no configuration that decoding needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zstd;

impl BytesToBytesCodec for Zstd {
    fn parse(extension: &Extension) -> Result<Self> {
        // Only the names of the settings are checked: the decoder reads its parameters from the data.
        extension.settings().only_fields(&["level", "checksum"]).map(|()| Self)
    }

    fn decoded_rate(&self) -> u64 {
        600
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        decode(&encoded, size).map(Cow::Owned)
    }
}

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
    rectilinear_zarr_kernels::for_speed::decode_zstd_frame(
        context,
        &frame[..found.length],
        &mut content,
        most,
    )
    .ok()?;
    Some(content)
}

#[cfg(not(feature = "zstd-ruzstd"))]
thread_local! {
    /// Decoder of the last valid frame, kept because making its tables takes longer than decoding a small frame.
    static CONTEXT: Cell<Option<DecompressContext>> = const { Cell::new(None) };
}

/// Appends the content of one frame to `decoded`, whose capacity suffices for all blocks, by zrip: twice as fast in
/// WebAssembly as ruzstd. Verifies its checksum.
#[cfg(not(feature = "zstd-ruzstd"))]
fn decode_frame(frame: &[u8], _most: usize, decoded: &mut Vec<u8>, size: Size) -> Result<()> {
    let room = size.limit() - decoded.len();
    let mut context = CONTEXT.take().unwrap_or_default();
    match decode_zstd_frame(&mut context, frame, decoded, room) {
        Ok(_) => {
            CONTEXT.set(Some(context));
            Ok(())
        }
        Err(DecompressError::OutputTooSmall) => Err(size.oversized(NAME)),
        Err(DecompressError::ChecksumMismatch { expected, got }) => {
            Err(Error::codec(NAME, Quantity::Checksum(got), Quantity::Checksum(expected)))
        }
        Err(DecompressError::DictRequired) => Err(Error::Unsupported {
            feature: "zstd with a dictionary".to_owned(),
            reason: "Zarr cannot store the dictionary; write the array without one".to_owned(),
        }),
        Err(error) => Err(Error::codec(NAME, error.to_string(), format!("{} bytes", size.limit()))),
    }
}

/// The largest content of a block (RFC 8878, section 3.1.1.2.4): 128 KiB.
const MAX_BLOCK_BYTES: usize = 128 << 10;

/// Length of a frame, and bounds on its content.
struct ZstdFrame {
    /// Whether the frame is not a skippable one.
    is_data: bool,
    /// Bytes of the frame.
    length: usize,
    /// The least bytes of content: those of its blocks of known size, or the size in the frame's header.
    least: usize,
    /// The most bytes of content.
    most: usize,
}

/// The frame at the start of the bytes; `None` where it is truncated.
///
/// The block headers are read here (RFC 8878, section 3.1) because zrip does not check the length of a skippable frame:
/// with a length of 2^32 - 8, it never returns.
fn next_frame(bytes: &[u8]) -> Option<ZstdFrame> {
    let magic = u32::from_le_bytes(*bytes.first_chunk()?);
    if magic & 0xffff_fff0 == 0x184d_2a50 {
        let length = u32::from_le_bytes(*bytes[4..].first_chunk()?);
        let total = usize::try_from(length).ok()?.checked_add(8)?;
        return (total <= bytes.len()).then_some(ZstdFrame {
            is_data: false,
            length: total,
            least: 0,
            most: 0,
        });
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
        // Uncompressed, one repeated byte, compressed.
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
    (at <= bytes.len()).then_some(ZstdFrame { is_data: true, length: at, least, most })
}

/// Content size in a frame's header, if there is one; saturates at `usize::MAX`.
fn announced(field: &[u8]) -> Option<usize> {
    let mut number = [0; 8];
    number.get_mut(..field.len())?.copy_from_slice(field);
    // Two bytes count from 256, because one byte holds smaller numbers.
    let number = u64::from_le_bytes(number) + if field.len() == 2 { 256 } else { 0 };
    (!field.is_empty()).then(|| usize::try_from(number).unwrap_or(usize::MAX))
}
