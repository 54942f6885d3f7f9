//! `data:` addresses: bytes in the address itself, as text with percent signs or as base64.
//!
//! Spec: <https://www.rfc-editor.org/rfc/rfc2397>; as in fsspec, which reads references in Python, `#` is a part of the data.

use std::ops::Range;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::error::{Error, Result};
use crate::source::ByteLocation;

/// Location of the bytes at an address, which is a `data:` address or that of a file; `place` is where it stands.
///
/// # Errors
/// [`Error::InvalidMetadata`] where a `data:` address is malformed, or has fewer bytes than the span needs.
pub(super) fn location(
    url: String,
    span: Option<Range<u64>>,
    place: impl Fn() -> String,
) -> Result<ByteLocation> {
    let Some(address) = url.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")).map(|_| &url[5..])
    else {
        return Ok(ByteLocation::File { url, span });
    };
    let invalid = |reason: &str| Error::metadata(place(), format!("a data: address {reason}"));
    let (about, data) = address.split_once(',').ok_or_else(|| invalid("has no comma before its data"))?;
    let data = unquoted(data);
    let is_base64 = about.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    let bytes =
        if is_base64 { from_base64(data).ok_or_else(|| invalid("has invalid base64"))? } else { data };
    let Some(span) = span else { return Ok(ByteLocation::Inline(bytes)) };
    let part = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
    let part = part.and_then(|(start, end)| bytes.get(start..end));
    let part =
        part.ok_or_else(|| invalid(&format!("has {} bytes, fewer than its reference says", bytes.len())))?;
    Ok(ByteLocation::Inline(part.to_vec()))
}

/// Text whose percent signs with two hexadecimal digits stand for a byte each.
fn unquoted(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

/// Bytes of base64, with or without the signs that fill it up, as `fetch` reads it.
fn from_base64(mut letters: Vec<u8>) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    letters.retain(|letter| !letter.is_ascii_whitespace());
    GeneralPurpose::new(&STANDARD, config).decode(letters).ok()
}
