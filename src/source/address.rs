//! Addresses of object stores as those that a browser can ask.

/// The address over HTTPS of an object in a bucket (`s3://`, `gs://`) or a container (`abfs://`); nothing for schemes
/// that no browser knows. One of HTTP is itself, and one without a scheme is a path beside the list, of names as they are.
///
/// S3: <https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html>. A bucket with dots in its name has
/// no certificate as a host, and is a part of the path. Azure: a container belongs to an account, which
/// `container@account` tells, as in
/// <https://learn.microsoft.com/en-us/azure/storage/blobs/data-lake-storage-introduction-abfs-uri>; nothing without it.
#[must_use]
pub fn web_address(address: &str) -> Option<String> {
    let Some((scheme, rest)) = scheme(address) else { return Some(encoded(address)) };
    let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
    match scheme.to_ascii_lowercase().as_str() {
        // Without a bucket there is nothing to ask.
        "s3" | "gs" | "gcs" if bucket.is_empty() => None,
        "http" | "https" => Some(address.to_owned()),
        // A host has neither capital letters nor, under S3's certificate, more dots.
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

/// The scheme of an address, and what follows `://`; nothing where it has none.
#[must_use]
pub fn scheme(address: &str) -> Option<(&str, &str)> {
    // Of bytes: to look for a text would link the standard library's searcher.
    let at = address.as_bytes().windows(3).position(|window| window == b"://")?;
    Some((&address[..at], &address[at + 3..]))
}

/// The key of an object, in which every character stands for itself, as a part of a URL.
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
