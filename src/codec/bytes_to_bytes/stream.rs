//! Reading of a streaming decompressor to its end, with a bound on its output.

use std::io::Read;

use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::make_room;

/// First allocation where the size is not known: 64 KiB. The buffer then doubles, so growing it takes at most as much
/// memory again as the final size.
const FIRST_STEP: usize = 64 << 10;

/// Reads everything from a decoder.
///
/// The decoder must verify its end: it returns an error for damaged or truncated input, and 0 bytes for a valid end.
pub(crate) fn read_whole(codec: &'static str, mut decoder: impl Read, size: Size) -> Result<Vec<u8>> {
    let mut decoded = size.room(1)?;
    let limit = size.limit();
    loop {
        // One byte above the limit shows whether there is too much. Reading to the end verifies the last checksum.
        let most = limit.saturating_add(1) - decoded.len();
        let step = match size {
            Size::Exactly(_) => most,
            // The last step takes all that is left, so that no further step is needed for one byte.
            Size::AtMost(_) => {
                Some(decoded.len().max(FIRST_STEP)).filter(|step| most / 2 > *step).unwrap_or(most)
            }
        };
        make_room(&mut decoded, step)?;
        match decoder.by_ref().take(step as u64).read_to_end(&mut decoded) {
            Err(error) => {
                let got = format!("{} bytes and then: {error}", decoded.len());
                return Err(Error::codec(codec, got, format!("{limit} bytes")));
            }
            Ok(_) if decoded.len() > limit => return Err(size.oversized(codec)),
            Ok(read) if read < step => break,
            Ok(_) => {}
        }
    }
    size.check(codec, decoded.len())?;
    Ok(decoded)
}
