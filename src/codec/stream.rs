//! A decompressor that hands out its bytes piece by piece, read to its end and not past the size it may have.

use std::io::Read;

use super::memory::Size;
use crate::error::{Error, Result};

/// Everything that the decoder gives.
///
/// The decoder must say at its end, with an error or by giving nothing, whether the end is a good one.
pub(super) fn read_whole(codec: &'static str, decoder: impl Read, size: Size) -> Result<Vec<u8>> {
    let mut decoded = size.room(0)?;
    // One byte more than there may be tells whether there is too much; reading to the end verifies the last checksum.
    let limit = (size.limit() as u64).saturating_add(1);
    let read = decoder.take(limit).read_to_end(&mut decoded);
    if let Err(error) = read {
        let got = format!("{} bytes and then: {error}", decoded.len());
        return Err(Error::codec(codec, got, format!("{} bytes", size.limit())));
    }
    if decoded.len() > size.limit() {
        return Err(size.oversized(codec));
    }
    size.check(codec, decoded.len())?;
    Ok(decoded)
}
