//! A decompressor that hands out its bytes piece by piece, read to its end and not past the size it may have.

use std::io::Read;

use super::memory::{Size, buffer};
use crate::error::{Error, Result};

/// Everything that the decoder gives.
///
/// The decoder must say at its end, with an error or by giving nothing, whether the end is a good one.
pub(super) fn read_whole(codec: &'static str, mut decoder: impl Read, size: Size) -> Result<Vec<u8>> {
    let mut decoded = buffer(size.limit())?;
    let mut filled = 0;
    let mut read = |into: &mut [u8], filled: usize| {
        decoder.read(into).map_err(|error| {
            Error::codec(
                codec,
                format!("{filled} bytes and then: {error}"),
                format!("{} bytes", size.limit()),
            )
        })
    };
    while filled < decoded.len() {
        match read(&mut decoded[filled..], filled)? {
            0 => break,
            more => filled += more,
        }
    }
    // Reading on at the end verifies the last checksum, and tells whether there is too much.
    if read(&mut [0], filled)? > 0 {
        return Err(size.oversized(codec));
    }
    size.check(codec, filled)?;
    decoded.truncate(filled);
    Ok(decoded)
}
