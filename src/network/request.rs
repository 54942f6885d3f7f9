//! Requests for bytes: a store key and a byte range, and keys and URLs of object stores as HTTPS URLs that a browser can
//! fetch.

use std::ops::Range;

/// A request for bytes of one value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// Store key, without a leading slash.
    pub key: String,
    /// Byte range of the value.
    pub range: ByteRange,
}

/// Byte range of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ByteRange {
    /// The whole value.
    All,
    /// From start to end, end exclusive.
    Span(Range<u64>),
    /// From start to end, or to the end of a value that is shorter: a guess, which is never joined with other ranges.
    UpTo(Range<u64>),
    /// From this byte to the end of the value.
    From(u64),
    /// The last bytes of the value, this many.
    Suffix(u64),
}

impl Request {
    /// The request for the value so many places on, by the number that its key ends with.
    #[must_use]
    pub fn further(&self, places: u64) -> Self {
        let head = self.key.trim_end_matches(|letter: char| letter.is_ascii_digit());
        match self.key[head.len()..].parse::<u64>() {
            Ok(number) => Self { key: format!("{head}{}", number + places), range: self.range.clone() },
            Err(_) => self.clone(),
        }
    }

    /// The key, to be shown: of a URL without its query, which may be a signature.
    #[must_use]
    pub fn public_key(&self) -> &str {
        let query = self.key.bytes().position(|byte| byte == b'?').filter(|_| scheme(&self.key).is_some());
        query.map_or(&self.key, |at| &self.key[..at])
    }
}

impl ByteRange {
    /// Position of the range in a whole value of `length` bytes; `None` where the value is too short.
    #[must_use]
    pub fn of_length(&self, length: u64) -> Option<Range<u64>> {
        match self {
            Self::All => Some(0..length),
            Self::Span(span) => Some(span.clone()).filter(|span| span.end <= length),
            Self::UpTo(span) => {
                Some(span.start..span.end.min(length)).filter(|range| range.start <= range.end)
            }
            Self::From(start) => Some(*start..length).filter(|range| range.start <= length),
            Self::Suffix(bytes) => length.checked_sub(*bytes).map(|start| start..length),
        }
    }
    /// Whether an answer of `length` bytes fits the range.
    #[must_use]
    pub fn fits(&self, length: u64) -> bool {
        match self {
            Self::All | Self::From(_) => true,
            Self::Span(span) => span.end - span.start == length,
            Self::UpTo(span) => span.end - span.start >= length,
            Self::Suffix(suffix) => *suffix == length,
        }
    }

    /// Error text for an answer of `length` bytes that does not fit its range.
    #[must_use]
    pub fn misfit(length: u64) -> String {
        format!(
            "{length} bytes came instead of those asked for; the value is shorter than its index says, or the host \
             does not support ranges"
        )
    }
}

/// HTTPS address of an object in a bucket (`s3://`, `gs://`) or a container (`abfs://`). Those of `http` and `https`
/// stay as they are; one without a scheme is a relative path, and is percent-encoded. Other schemes give `None`.
///
/// S3: <https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html>. A bucket with dots in its name goes
/// into the path, because S3's certificate does not cover it as a host. Azure: the account is part of the address,
/// `container@account`, as in
/// <https://learn.microsoft.com/en-us/azure/storage/blobs/data-lake-storage-introduction-abfs-uri>; `None` without it.
#[must_use]
pub fn web_address(address: &str) -> Option<String> {
    let Some((scheme, rest)) = scheme(address) else { return Some(encoded(address)) };
    let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
    match scheme.to_ascii_lowercase().as_str() {
        "s3" | "gs" | "gcs" if bucket.is_empty() => None,
        "http" | "https" => Some(address.to_owned()),
        // A host name has no capital letters, and S3's certificate covers no further dots.
        "s3" if bucket.bytes().any(|byte| byte == b'.' || byte.is_ascii_uppercase()) => {
            Some(format!("https://s3.amazonaws.com/{bucket}/{}", encoded(key)))
        }
        "s3" => Some(format!("https://{bucket}.s3.amazonaws.com/{}", encoded(key))),
        "gs" | "gcs" => Some(format!("https://storage.googleapis.com/{bucket}/{}", encoded(key))),
        "az" | "azure" | "abfs" | "abfss" => {
            let (container, host) = bucket.split_once('@')?;
            let account =
                host.split('.').next().filter(|account| !account.is_empty() && !container.is_empty())?;
            Some(format!("https://{account}.blob.core.windows.net/{container}/{}", encoded(key)))
        }
        _ => None,
    }
}

/// Splits an address into its scheme and the part after `://`; `None` where it has no scheme.
#[must_use]
pub fn scheme(address: &str) -> Option<(&str, &str)> {
    // Compares bytes: `str::find` would link the standard library's string searcher.
    let at = address.as_bytes().windows(3).position(|window| window == b"://")?;
    Some((&address[..at], &address[at + 3..]))
}

/// Address of an object below the address of its bucket; every character of the key is literal.
#[must_use]
pub fn object_address(bucket: &str, key: &str) -> String {
    format!("{bucket}/{}", encoded(key))
}

/// Percent-encodes an object's key, in which every character is literal, for a URL path.
fn encoded(key: &str) -> String {
    let mut url = String::with_capacity(key.len());
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~!$&'()*,;=:@".contains(&byte) {
            url.push(byte.into());
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

/// Joins a path and a name, or two paths, with a slash; an empty one is the root.
#[must_use]
pub fn join(path: &str, name: &str) -> String {
    match (path, name) {
        ("", alone) | (alone, "") => alone.to_owned(),
        _ => format!("{path}/{name}"),
    }
}
