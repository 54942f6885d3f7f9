//! `gzip`: one or more gzip members, each with its checksum and length verified.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/gzip/index.html>
//!
//! ```json
//! { "name": "gzip", "configuration": { "level": 5 } }
//! ```

use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use super::memory::{Size, buffer};
use crate::error::{Error, Result};

pub(super) const NAME: &str = "gzip";

/// The members' contents, one after the other.
pub(super) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut decoded = buffer(size.limit())?;
    let mut decoder = MultiGzDecoder::new(encoded);
    let mut filled = 0;
    while filled < decoded.len() {
        match read(&mut decoder, &mut decoded[filled..], filled, size)? {
            0 => break,
            more => filled += more,
        }
    }
    // Reading on at the end verifies the last member's checksum, and tells whether there is too much.
    if read(&mut decoder, &mut [0], filled, size)? > 0 {
        return Err(size.oversized(NAME));
    }
    size.check(NAME, filled)?;
    decoded.truncate(filled);
    Ok(decoded)
}

fn read(decoder: &mut impl Read, into: &mut [u8], filled: usize, size: Size) -> Result<usize> {
    decoder.read(into).map_err(|error| {
        Error::codec(NAME, format!("{filled} bytes and then: {error}"), format!("{} bytes", size.limit()))
    })
}
