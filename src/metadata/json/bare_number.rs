//! The bare words `NaN`, `Infinity` and `-Infinity`, which JSON does not have but zarr-python and xarray write.

use std::borrow::Cow;

use super::value::Value;

/// The number of a bare `NaN`, `Infinity` or `-Infinity`; `None` if the value is not a string of
/// [`quote_bare_numbers`].
#[must_use]
pub fn bare_number(value: &Value) -> Option<f64> {
    match value.as_str()?.strip_prefix('\0')? {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Replaces bare `NaN`, `Infinity` and `-Infinity` by strings that start with NUL, which users' text does not. A byte order
/// mark at the start is left out.
#[must_use]
pub fn quote_bare_numbers(bytes: &[u8]) -> Cow<'_, [u8]> {
    const WORDS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut quoted = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    let mut in_string = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => at += 1,
            b'N' | b'I' | b'-' if !in_string => {
                if let Some(word) = WORDS.iter().find(|word| bytes[at..].starts_with(word)) {
                    quoted.extend_from_slice(&bytes[copied..at]);
                    quoted.extend_from_slice(br#""\u0000"#);
                    quoted.extend_from_slice(word);
                    quoted.push(b'"');
                    at += word.len();
                    copied = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    if copied == 0 {
        return Cow::Borrowed(bytes);
    }
    quoted.extend_from_slice(&bytes[copied..]);
    Cow::Owned(quoted)
}
