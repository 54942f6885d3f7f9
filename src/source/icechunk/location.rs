//! Locations of virtual chunks: addresses, or paths in a named container.
//!
//! Icechunk's locations are percent-encoded URLs. Bucket addresses are decoded here, because
//! [`crate::source::web_address`] takes their keys literally.

use super::repository::Repository;
use super::wanted::VersionOptions;
use crate::error::{Error, Result};
use crate::metadata::Value;

/// Prefix of a location in a container.
const CONTAINER: &str = "vcc://";

/// Address of a location; resolves the name of its container by the caller's options, then by the repository.
pub(super) fn address(
    location: &str,
    wanted: &VersionOptions,
    repository: Option<&Repository>,
) -> Result<String> {
    let Some(inside) = location.strip_prefix(CONTAINER) else { return Ok(bucket_key(location)) };
    let (name, path) = inside.split_once('/').unwrap_or((inside, ""));
    let given = wanted.containers.get(name).and_then(Value::as_str).map(str::to_owned);
    let prefix = given.or_else(|| repository?.container(name));
    let Some(prefix) = prefix else {
        return Err(Error::Unsupported {
            feature: format!("the container {name:?} of virtual chunks"),
            reason: format!(
                "the address of {location} is unknown; pass the option containers: {{ {name:?}: \"https://...\" }}"
            ),
        });
    };
    let slash = if prefix.ends_with('/') { "" } else { "/" };
    Ok(bucket_key(&format!("{prefix}{slash}{path}")))
}

/// Decodes the key of a bucket's address; other addresses stay as they are.
fn bucket_key(location: &str) -> String {
    match location.split_once("://") {
        Some(("s3" | "gs" | "gcs", _)) => {
            let key = location.split(['?', '#']).next().unwrap_or(location);
            decoded(key).unwrap_or_else(|| key.to_owned())
        }
        _ => location.to_owned(),
    }
}

/// Percent-decodes a text; `None` where the result is not valid UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after
            .first_chunk::<2>()
            .filter(|digits| *first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}
