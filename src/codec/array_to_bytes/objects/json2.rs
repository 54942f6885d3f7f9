//! `numcodecs.json2`, and `numcodecs.json` of before 2018: the list as JSON text, in which Python also writes bare `NaN`
//! and infinities, and integers of any length.
//!
//! ```json
//! { "name": "numcodecs.json2", "configuration": { "encoding": "utf-8", "sort_keys": true } }
//! ```

use std::borrow::Cow;
use std::ops::Range;

use serde::de::DeserializeSeed;

use super::chunk::{After, ObjectChunk, Whole};
use super::item::{LONG_INTEGER, Text};
use crate::codec::array_spec::MAX_CONTENT_BYTES;
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

/// Start and end of the strings in whose place serde would round integers, and lack bare `NaN` and infinities.
const QUOTES: [&[u8]; 2] = [br#""\u0000"#, b"\""];

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
    // An upper bound on the number of bare numbers, each of which grows when it is quoted.
    let bare = encoded.iter().filter(|&&byte| byte == b'N' || byte == b'I').count();
    let long = if chunk.text == Text::AsJson { long_integers(encoded).collect() } else { Vec::new() };
    let added = QUOTES.concat().len().saturating_mul(bare + long.len());
    if added.saturating_add(encoded.len()) > MAX_CONTENT_BYTES {
        return Err(format!("more than {MAX_CONTENT_BYTES} bytes of text"));
    }
    let text = quoted(encoded, &long);
    let text = quote_bare_numbers(&text);
    let mut reader = serde_json::Deserializer::from_slice(&text);
    Whole(chunk, after)
        .deserialize(&mut reader)
        .and_then(|()| reader.end())
        .map_err(|error| error.to_string())
}

/// Places of the integers outside of strings that serde may round: those of as many digits as 2^64, or more.
fn long_integers(json: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = json.get(at) {
            let start = at;
            at += match byte {
                b'"' => text_length(&json[at..]),
                b'-' | b'0'..=b'9' => number_length(&json[at..]),
                _ => 1,
            };
            let digits = json[start..at].strip_prefix(b"-").unwrap_or(&json[start..at]);
            if digits.len() >= LONG_INTEGER && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit) {
                return Some(start..at);
            }
        }
        None
    })
}

/// Length of the string with which JSON text begins.
fn text_length(json: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = json.get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte == b'"' {
            break;
        }
    }
    at.min(json.len())
}

/// Length of the number with which JSON text begins.
fn number_length(json: &[u8]) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    json.iter().take_while(|byte| is_part(byte)).count()
}

/// Replaces numbers by strings that [`super::item`] reads back.
fn quoted<'a>(json: &'a [u8], numbers: &[Range<usize>]) -> Cow<'a, [u8]> {
    if numbers.is_empty() {
        return Cow::Borrowed(json);
    }
    let [open, close] = QUOTES;
    let mut text = Vec::with_capacity(json.len() + numbers.len() * QUOTES.concat().len());
    let mut copied = 0;
    for number in numbers {
        text.extend([&json[copied..number.start], open, &json[number.clone()], close].concat());
        copied = number.end;
    }
    text.extend_from_slice(&json[copied..]);
    Cow::Owned(text)
}
