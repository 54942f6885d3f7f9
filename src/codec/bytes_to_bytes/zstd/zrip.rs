//! Decoding of frames with zrip, the default: twice as fast in WebAssembly as ruzstd.

use std::cell::Cell;

use rectilinear_zarr_kernels::decoders::zstd::{self, DecompressContext, DecompressError};

use super::frame::NAME;
use crate::codec::size::Size;
use crate::error::{Error, Quantity, Result};

thread_local! {
    /// Decoder of the last valid frame, kept because making its tables takes longer than decoding a small frame.
    static CONTEXT: Cell<Option<DecompressContext>> = const { Cell::new(None) };
}

/// Appends the content of one frame to `decoded`, whose capacity suffices for all blocks. Verifies its checksum.
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
            reason: "Zarr cannot store the dictionary; write the array without one".to_owned(),
        }),
        Err(error) => Err(Error::codec(NAME, error.to_string(), format!("{} bytes", size.limit()))),
    }
}
