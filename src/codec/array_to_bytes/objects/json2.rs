//! `numcodecs.json2`, and `numcodecs.json` of before 2018: the list as JSON text, in which Python also writes bare `NaN`
//! and infinities, and integers of any length.
//!
//! ```json
//! { "name": "numcodecs.json2", "configuration": { "encoding": "utf-8", "sort_keys": true } }
//! ```

use std::borrow::Cow;

use serde::de::DeserializeSeed;

use super::chunk::{After, ObjectChunk, Whole};
use super::item::Text;
use crate::codec::kinds::MAX_CONTENT_BYTES;
use crate::error::{Error, Result};
use crate::metadata::{Json, quote_bare_numbers};

/// Configuration fields for Python's encoder and decoder; reading uses only `encoding`.
const FIELDS: &[&str] = &[
    "encoding",
    "skipkeys",
    "ensure_ascii",
    "check_circular",
    "allow_nan",
    "sort_keys",
    "indent",
    "separators",
    "strict",
];

/// Bytes that quoting adds to a bare `NaN` or infinity.
const QUOTES: usize = 8;

/// Digits of the shortest integer that may be beyond 64 bits.
const LONG: usize = 19;

pub(crate) fn check(settings: Json<'_>) -> Result<()> {
    settings.only_fields(FIELDS)?;
    check_encoding(settings, "JSON")
}

/// Checks that text is encoded as UTF-8; `format` names what has the text.
pub(crate) fn check_encoding(settings: Json<'_>, format: &str) -> Result<()> {
    let Some(encoding) = settings.field("encoding") else { return Ok(()) };
    let text = encoding.string()?;
    if ["utf-8", "utf8", "ascii", "us-ascii"].contains(&text.to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    Err(Error::Unsupported {
        feature: format!("{format} in the encoding {text:?}"),
        reason: format!("met at {}; expected \"utf-8\" or \"ascii\"", encoding.pointer()),
    })
}

pub(crate) fn read(
    encoded: &[u8],
    chunk: &mut ObjectChunk<'_>,
    after: After,
) -> std::result::Result<(), String> {
    let text = match chunk.text {
        Text::AsJson if has_long_integers(encoded) => Cow::Owned(quote_long_integers(encoded)),
        _ => Cow::Borrowed(encoded),
    };
    // An upper bound on the number of bare numbers, each of which grows when it is quoted.
    let bare = encoded.iter().filter(|&&byte| byte == b'N' || byte == b'I').count();
    if bare.saturating_mul(QUOTES).saturating_add(text.len()) > MAX_CONTENT_BYTES {
        return Err(format!("more than {MAX_CONTENT_BYTES} bytes of text"));
    }
    let text = quote_bare_numbers(&text);
    let mut reader = serde_json::Deserializer::from_slice(&text);
    Whole(chunk, after)
        .deserialize(&mut reader)
        .and_then(|()| reader.end())
        .map_err(|error| error.to_string())
}

fn has_long_integers(json: &[u8]) -> bool {
    json.split(|byte| !byte.is_ascii_digit()).any(|digits| digits.len() >= LONG)
}

/// Replaces long integers by strings that start with NUL, because serde rounds those beyond 64 bits.
fn quote_long_integers(json: &[u8]) -> Vec<u8> {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let mut quoted = Vec::with_capacity(json.len());
    let (mut in_string, mut is_escaped) = (false, false);
    // A number, or one other byte.
    for part in json.chunk_by(|one, next| is_part(one) && is_part(next)) {
        let digits = part.strip_prefix(b"-").unwrap_or(part);
        let is_long = digits.len() >= LONG && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit);
        if is_long && !in_string {
            quoted.extend_from_slice(br#""\u0000"#);
            quoted.extend_from_slice(part);
            quoted.push(b'"');
            continue;
        }
        quoted.extend_from_slice(part);
        in_string ^= part == b"\"" && !is_escaped;
        is_escaped = part == b"\\" && in_string && !is_escaped;
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::quote_long_integers;

    #[test]
    fn whole_numbers_of_many_digits_are_quoted_outside_of_strings() {
        let long = "1234567890123456789";
        let [quoted, negative] = ["", "-"].map(|sign| format!("\"\\u0000{sign}{long}\""));
        let cases = [
            (
                format!("[{long}, -{long},123456789012345678]"),
                format!("[{quoted}, {negative},123456789012345678]"),
            ),
            (format!("{{\"{long}\": {long}}}"), format!("{{\"{long}\": {quoted}}}")),
            (format!("[\"\\\\\", {long}]"), format!("[\"\\\\\", {quoted}]")),
            (format!("[\"\\\"{long}\"]"), format!("[\"\\\"{long}\"]")),
            (
                format!("[{long}.5, {long}e2, 0{long}, {long}-1, +{long}]"),
                format!("[{long}.5, {long}e2, 0{long}, {long}-1, +{long}]"),
            ),
        ];
        for (json, expected) in cases {
            let found = quote_long_integers(json.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), expected);
        }
    }
}
