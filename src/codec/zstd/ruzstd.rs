//! Frames through ruzstd, the second opinion: slower, by another author, chosen by the feature `zstd-ruzstd`.

use ::ruzstd::decoding::FrameDecoder;
use ::ruzstd::decoding::errors::FrameDecoderError;

use super::{NAME, Size};
use crate::codec::memory::buffer;
use crate::error::{Error, Quantity, Result};

/// The least window that encoders ask for whatever the content's size: 8 MiB, RFC 8878's recommendation.
const USUAL_WINDOW: u64 = 8 << 20;

/// Appends one frame's content, checksum verified, to what is decoded so far.
pub(super) fn decode_frame(frame: &[u8], decoded: &mut Vec<u8>, size: Size) -> Result<()> {
    let room = size.limit() - decoded.len();
    let mut content = buffer(match size {
        Size::Exactly(_) => room,
        Size::AtMost(_) => frame.len().saturating_mul(8).min(room),
    })?;
    let mut decoder = FrameDecoder::new();
    let length = loop {
        decoder.set_max_window_size(USUAL_WINDOW.max(content.len() as u64));
        match decoder.decode_all(frame, &mut content) {
            Ok(length) => break length,
            // The decoder wants to know the length beforehand; where nobody does, it starts anew with more room.
            Err(FrameDecoderError::TargetTooSmall) if content.len() < room => {
                content = buffer(content.len().saturating_mul(8).clamp(1, room))?;
            }
            Err(FrameDecoderError::TargetTooSmall) => return Err(size.oversized(NAME)),
            Err(FrameDecoderError::DictNotProvided { .. }) => {
                return Err(Error::Unsupported {
                    feature: "zstd with a dictionary".to_owned(),
                    reason: "Zarr has no place to store one; write the array without".to_owned(),
                });
            }
            Err(error) => {
                return Err(Error::codec(NAME, error.to_string(), format!("{} bytes", size.limit())));
            }
        }
    };
    // The decoder leaves the comparison to its caller.
    if let (Some(expected), Some(got)) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum())
        && expected != got
    {
        return Err(Error::codec(NAME, Quantity::Checksum(got), Quantity::Checksum(expected)));
    }
    decoded.extend_from_slice(&content[..length]);
    Ok(())
}
