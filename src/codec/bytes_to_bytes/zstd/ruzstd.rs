//! Decoding of frames with ruzstd, chosen by the Cargo feature `zstd-ruzstd`: an independent, slower implementation.

use ::ruzstd::decoding::FrameDecoder;
use ::ruzstd::decoding::errors::FrameDecoderError;

use rectilinear_zarr_kernels::for_speed::resize;

use crate::codec::kinds::Size;
use crate::error::{Error, Quantity, Result};

const NAME: &str = "zstd";

/// Least window size to support, for any content size: 8 MiB, as RFC 8878 recommends.
const USUAL_WINDOW: u64 = 8 << 20;

/// Appends the content of one frame, whose blocks hold at most `most` bytes, to `decoded`. Verifies its checksum.
pub(crate) fn decode_frame(frame: &[u8], most: usize, decoded: &mut Vec<u8>, size: Size) -> Result<()> {
    let start = decoded.len();
    resize(decoded, start + most.min(size.limit() - start));
    let content = &mut decoded[start..];
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(USUAL_WINDOW.max(content.len() as u64));
    let length = match decoder.decode_all(frame, content) {
        Ok(length) => length,
        Err(FrameDecoderError::TargetTooSmall) => return Err(size.oversized(NAME)),
        Err(FrameDecoderError::DictNotProvided { .. }) => {
            return Err(Error::Unsupported {
                feature: "zstd with a dictionary".to_owned(),
                reason: "Zarr cannot store the dictionary; write the array without one".to_owned(),
            });
        }
        Err(error) => {
            return Err(Error::codec(NAME, error.to_string(), format!("{} bytes", size.limit())));
        }
    };
    // The decoder does not compare the checksums.
    if let (Some(expected), Some(got)) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum())
        && expected != got
    {
        return Err(Error::codec(NAME, Quantity::Checksum(got), Quantity::Checksum(expected)));
    }
    decoded.truncate(start + length);
    Ok(())
}
