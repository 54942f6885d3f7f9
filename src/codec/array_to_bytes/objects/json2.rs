//! `numcodecs.json2`, and `numcodecs.json` of before 2018: the list as JSON text, in which Python also writes bare `NaN`
//! and infinities.
//!
//! ```json
//! { "name": "numcodecs.json2", "configuration": { "encoding": "utf-8", "sort_keys": true } }
//! ```

use serde::de::DeserializeSeed;

use super::chunk::{After, ObjectChunk, Whole};
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

/// Bytes that quoting adds to a bare `NaN` or infinity.
const QUOTES: usize = 8;

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
    if bare.saturating_mul(QUOTES).saturating_add(encoded.len()) > MAX_CONTENT_BYTES {
        return Err(format!("more than {MAX_CONTENT_BYTES} bytes of text"));
    }
    let text = quote_bare_numbers(encoded);
    let mut reader = serde_json::Deserializer::from_slice(&text);
    Whole(chunk, after)
        .deserialize(&mut reader)
        .and_then(|()| reader.end())
        .map_err(|error| error.to_string())
}
