//! Frames through ruzstd, the second opinion: slower, by another author, chosen by the feature `zstd-ruzstd`.

use ::ruzstd::decoding::FrameDecoder;
use ::ruzstd::decoding::errors::FrameDecoderError;

use rectilinear_zarr_kernels::room;

use super::frame::NAME;
use crate::codec::size::Size;
use crate::error::{Error, Quantity, Result};

/// The least window that encoders ask for whatever the content's size: 8 MiB, RFC 8878's recommendation.
const USUAL_WINDOW: u64 = 8 << 20;

/// Appends one frame's content, checksum verified, to what is decoded so far; its blocks hold `most` bytes at most.
pub(crate) fn decode_frame(frame: &[u8], most: usize, decoded: &mut Vec<u8>, size: Size) -> Result<()> {
    let start = decoded.len();
    room::resize(decoded, start + most.min(size.limit() - start));
    let content = &mut decoded[start..];
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(USUAL_WINDOW.max(content.len() as u64));
    let length = match decoder.decode_all(frame, content) {
        Ok(length) => length,
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
    };
    // The decoder leaves the comparison to its caller.
    if let (Some(expected), Some(got)) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum())
        && expected != got
    {
        return Err(Error::codec(NAME, Quantity::Checksum(got), Quantity::Checksum(expected)));
    }
    decoded.truncate(start + length);
    Ok(())
}
