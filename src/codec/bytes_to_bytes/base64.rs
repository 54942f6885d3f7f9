//! `numcodecs.base64`: bytes as text, with four letters for every three bytes, padded with `=`.
//!
//! Specs: <https://numcodecs.readthedocs.io/en/stable/other/base64.html> and
//! <https://www.rfc-editor.org/rfc/rfc4648>, section 4
//!
//! ```json
//! { "name": "numcodecs.base64" }
//! ```

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::codec::size::Size;
use crate::error::{Error, Result};
use crate::output::memory::buffer;

pub(crate) const NAME: &str = "numcodecs.base64";

/// Encoded size of bytes of this size.
pub(crate) fn encoded_size(decoded: Size) -> Size {
    let letters = |bytes: usize| bytes.div_ceil(3).saturating_mul(4);
    match decoded {
        Size::Exactly(bytes) => Size::Exactly(letters(bytes)),
        Size::AtMost(bytes) => Size::AtMost(letters(bytes)),
    }
}

/// The bytes that the text spells.
pub(crate) fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let padding = encoded.iter().rev().take(2).take_while(|&&letter| letter == b'=').count();
    let length = (encoded.len() / 4 * 3).saturating_sub(padding);
    size.check(NAME, length)?;
    // The decoder needs room for whole groups of three bytes.
    let mut decoded = buffer(encoded.len().div_ceil(4) * 3)?;
    let written = STANDARD
        .decode_slice(encoded, &mut decoded)
        .map_err(|error| Error::codec(NAME, format!("text that is not base64: {error}"), length))?;
    decoded.truncate(written);
    size.check(NAME, written)?;
    Ok(decoded)
}
