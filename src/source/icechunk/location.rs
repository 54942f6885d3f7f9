//! Locations of virtual chunks: addresses, or paths in a named container.
//!
//! Icechunk's locations are percent-encoded URLs. Bucket addresses are decoded here, because
//! [`crate::network::web_address`] takes their keys literally.

use std::ops::Range;

use super::container::Container;
use super::wanted::VersionOptions;
use crate::error::{Error, Result};
use crate::metadata::Value;
use crate::source::ByteLocation;

/// Prefix of a location in a container.
const CONTAINER: &str = "vcc://";

/// Whether the repository's configuration may tell where a location is: it names containers, and the hosts of buckets.
pub(super) fn needs_containers(location: &str, wanted: &VersionOptions) -> bool {
    match location.strip_prefix(CONTAINER) {
        Some(inside) => {
            let name = inside.split('/').next().unwrap_or(inside);
            wanted.containers.get(name).and_then(Value::as_str).is_none()
        }
        None => ["s3://", "tigris://"].iter().any(|scheme| location.starts_with(scheme)),
    }
}

/// Place of a virtual chunk. The name of its container is resolved by the caller's options, then by the repository's
/// containers, whose settings also name the host of a bucket.
pub(super) fn place(
    location: &str,
    span: Range<u64>,
    wanted: &VersionOptions,
    containers: &[Container],
) -> Result<ByteLocation> {
    let Some(inside) = location.strip_prefix(CONTAINER) else {
        return Ok(in_container(location, span, Container::around(containers, location)));
    };
    let (name, path) = inside.split_once('/').unwrap_or((inside, ""));
    let below = |prefix: &str| {
        let slash = if prefix.ends_with('/') { "" } else { "/" };
        format!("{prefix}{slash}{path}")
    };
    if let Some(prefix) = wanted.containers.get(name).and_then(Value::as_str) {
        return Ok(in_container(&below(prefix), span, None));
    }
    match Container::named(containers, name) {
        Some(container) => Ok(in_container(&below(&container.prefix), span, Some(container))),
        None => Err(Error::Unsupported {
            feature: format!("the container {name:?} of virtual chunks"),
            reason: format!(
                "the address of {location} is unknown; pass the option containers: {{ {name:?}: \"https://...\" }}"
            ),
        }),
    }
}

fn in_container(location: &str, span: Range<u64>, container: Option<&Container>) -> ByteLocation {
    let url = bucket_key(location);
    match container.and_then(|container| container.web_address(&url)) {
        Some(web) => ByteLocation::Object { url, web, span },
        None => ByteLocation::File { url, span: Some(span) },
    }
}

/// Decodes the key of a bucket's address; other addresses stay as they are.
fn bucket_key(location: &str) -> String {
    match location.split_once("://") {
        Some(("s3" | "gs" | "gcs" | "tigris", _)) => {
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
