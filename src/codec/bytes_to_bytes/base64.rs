//! `numcodecs.base64`: bytes as text, with four letters for every three bytes, padded with `=`.
//!
//! Specs: <https://numcodecs.readthedocs.io/en/stable/other/base64.html> and
//! <https://www.rfc-editor.org/rfc/rfc4648>, section 4
//!
//! ```json
//! { "name": "numcodecs.base64" }
//! ```

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::memory::buffer;

const NAME: &str = Base64::NAMES[0];

/// The codec, which has no configuration that decoding needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Base64;

impl BytesToBytesCodec for Base64 {
    fn parse(extension: &Extension) -> Result<Self> {
        extension.settings().only_fields(&[]).map(|()| Self)
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        let letters = |bytes: usize| bytes.div_ceil(3).saturating_mul(4);
        match decoded {
            Size::Exactly(bytes) => Size::Exactly(letters(bytes)),
            Size::AtMost(bytes) => Size::AtMost(letters(bytes)),
        }
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        decode(&encoded, size).map(Cow::Owned)
    }
}

/// The bytes that the text spells.
fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
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
