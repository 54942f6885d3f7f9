//! PackBits of TIFF: a count, then so many bytes as they are, or one byte to be repeated.
//!
//! Spec: TIFF 6.0, section 9, <https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf>

use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::make_room;

/// The count that stands for nothing.
const NOTHING: i8 = -128;

/// The content.
pub(super) fn decode(codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut decoded = size.room(0)?;
    let mut rest = encoded;
    while let Some((&count, after)) = rest.split_first() {
        rest = after;
        let count = count.cast_signed();
        if count == NOTHING {
            continue;
        }
        let length = usize::from(count.unsigned_abs()) + 1;
        let taken = if count < 0 { 1 } else { length };
        let Some((bytes, after)) = rest.split_at_checked(taken) else {
            let got = format!("{} bytes and then a run that is cut short", decoded.len());
            return Err(Error::codec(codec, got, format!("{} bytes", size.limit())));
        };
        rest = after;
        if decoded.len() + length > size.limit() {
            return Err(size.oversized(codec));
        }
        if decoded.capacity() - decoded.len() < length {
            // Memory grows with the content, so that few bytes cannot allocate much.
            let more = decoded.len().max(4096).min(size.limit() - decoded.len());
            make_room(&mut decoded, more)?;
        }
        if count < 0 {
            decoded.resize(decoded.len() + length, bytes[0]);
        } else {
            decoded.extend_from_slice(bytes);
        }
    }
    size.check(codec, decoded.len())?;
    Ok(decoded)
}
