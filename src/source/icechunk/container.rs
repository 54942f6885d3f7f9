//! Containers of virtual chunks: a prefix of addresses, and the host of a bucket as its settings name it.
//!
//! The settings are those of icechunk's `s3_store`. The rules for the host are those of the AWS SDK, which icechunk uses:
//! <https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html>

use crate::metadata::Value;
use crate::network::{object_address, scheme};

/// A container of virtual chunks.
pub(super) struct Container {
    pub(super) name: Option<String>,
    pub(super) prefix: String,
    bucket: Option<BucketHost>,
}

/// Host of buckets.
struct BucketHost {
    /// Address of the host, without a slash at its end.
    endpoint: String,
    /// Whether the bucket stands in the path, not before the host's name.
    is_in_path: bool,
}

impl Container {
    /// The containers in a repository's configuration.
    pub(super) fn all(configuration: &Value) -> Vec<Self> {
        let containers = configuration.get("virtual_chunk_containers").and_then(Value::as_object);
        let parse = |container: &Value| {
            Some(Self {
                name: container["name"].as_str().map(str::to_owned),
                prefix: container["url_prefix"].as_str()?.to_owned(),
                bucket: BucketHost::parse(&container["store"]),
            })
        };
        containers.into_iter().flat_map(|containers| containers.values()).filter_map(parse).collect()
    }

    /// The container with a name.
    pub(super) fn named<'a>(all: &'a [Self], name: &str) -> Option<&'a Self> {
        all.iter().find(|container| container.name.as_deref() == Some(name))
    }

    /// The container that a location is in: the one with the longest prefix.
    pub(super) fn around<'a>(all: &'a [Self], location: &str) -> Option<&'a Self> {
        let around = all.iter().filter(|container| location.starts_with(&container.prefix));
        around.max_by_key(|container| container.prefix.len())
    }

    /// HTTPS address of an object whose key is literal; `None` where the settings name no host.
    pub(super) fn web_address(&self, location: &str) -> Option<String> {
        let host = self.bucket.as_ref()?;
        let (bucket, key) = scheme(location)?.1.split_once('/')?;
        let (protocol, name) = scheme(&host.endpoint)?;
        // A host name has no capital letters, certificates cover no further dots, and no name stands before a number.
        let is_label =
            bucket.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')) && !bucket.is_empty();
        let is_in_path = host.is_in_path || !is_label || is_number(name);
        let folder = if is_in_path {
            format!("{protocol}://{name}/{bucket}")
        } else {
            format!("{protocol}://{bucket}.{name}")
        };
        Some(object_address(&folder, key))
    }
}

impl BucketHost {
    /// The host that a container's settings name; `None` where they name neither an address nor a region.
    fn parse(store: &Value) -> Option<Self> {
        let kinds = ["s3", "s3_compatible", "tigris"];
        let settings = kinds.iter().find_map(|kind| store.get(kind).filter(|found| found.is_object()))?;
        let endpoint = match (settings["endpoint_url"].as_str(), settings["region"].as_str()) {
            (Some(endpoint), _) => {
                let is_web = matches!(scheme(endpoint)?.0, "http" | "https");
                is_web.then(|| endpoint.trim_end_matches('/').to_owned())?
            }
            (None, Some(region)) => {
                let is_region = region.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
                let is_aws = is_region && !region.is_empty() && store.get("tigris").is_none();
                let country = if region.starts_with("cn-") { ".cn" } else { "" };
                is_aws.then(|| format!("https://s3.{region}.amazonaws.com{country}"))?
            }
            (None, None) => return None,
        };
        Some(Self { endpoint, is_in_path: settings["force_path_style"] == true })
    }
}

/// Whether the host of `HOST:PORT/PATH` is a number, as in `127.0.0.1` or `[::1]`.
fn is_number(place: &str) -> bool {
    let host = place.split('/').next().unwrap_or(place);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    host.starts_with('[') || name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
