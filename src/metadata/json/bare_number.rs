//! The bare words `NaN`, `Infinity` and `-Infinity`, which zarr-python and xarray write into JSON that has no such numbers.

use std::borrow::Cow;

use super::value::Value;

/// The number that a bare `NaN`, `Infinity` or `-Infinity` stood for in the text, if the value came from one.
#[must_use]
pub fn bare_number(value: &Value) -> Option<f64> {
    match value.as_str()?.strip_prefix('\0')? {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Turns bare `NaN`, `Infinity` and `-Infinity` into strings that start with a NUL, as no text of a user's does.
#[must_use]
pub fn quote_bare_numbers(bytes: &[u8]) -> Cow<'_, [u8]> {
    const WORDS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];
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
