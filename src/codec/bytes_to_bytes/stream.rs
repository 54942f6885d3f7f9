//! A decompressor that hands out its bytes piece by piece, read to its end and not past the size it may have.

use std::io::Read;

use crate::codec::size::Size;
use crate::error::{Error, Result};
use crate::output::memory::make_room;

/// The room that is first made where no size is known; it doubles from there, so that growing takes at most as much
/// again as there may be in the end.
const FIRST_STEP: usize = 64 << 10;

/// Everything that the decoder gives.
///
/// The decoder must say at its end, with an error or by giving nothing, whether the end is a good one.
pub(crate) fn read_whole(codec: &'static str, mut decoder: impl Read, size: Size) -> Result<Vec<u8>> {
    let mut decoded = size.room(1)?;
    let limit = size.limit();
    loop {
        // One byte more than there may be tells whether there is too much; reading to the end verifies the last checksum.
        let most = limit.saturating_add(1) - decoded.len();
        let step = match size {
            Size::Exactly(_) => most,
            // The last step takes what is left, so that no further one is needed for a byte.
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
