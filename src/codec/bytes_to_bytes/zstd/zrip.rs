//! Frames through zrip: the default, twice as fast in WebAssembly as ruzstd.

use std::cell::Cell;

use rectilinear_zarr_kernels::decoders::zstd::{self, DecompressContext, DecompressError};

use super::frame::NAME;
use crate::codec::size::Size;
use crate::error::{Error, Quantity, Result};

thread_local! {
    /// A decoder whose last frame was a good one: its tables take longer to make than a small frame to decode.
    static CONTEXT: Cell<Option<DecompressContext>> = const { Cell::new(None) };
}

/// Appends one frame's content, checksum verified, to what is decoded so far; there is room for what its blocks hold.
pub(crate) fn decode_frame(frame: &[u8], _most: usize, decoded: &mut Vec<u8>, size: Size) -> Result<()> {
    let room = size.limit() - decoded.len();
    let mut context = CONTEXT.take().unwrap_or_default();
    match zstd::decode_frame(&mut context, frame, decoded, room) {
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
            reason: "Zarr has no place to store one; write the array without".to_owned(),
        }),
        Err(error) => Err(Error::codec(NAME, error.to_string(), format!("{} bytes", size.limit()))),
    }
}
