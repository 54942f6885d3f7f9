//! Paths of the nodes of a hierarchy, and the keys of their metadata documents.
//!
//! Invariant: keys never start or end with a slash and hold no empty, `.` or `..` segment, so no store or URL parser
//! can turn one key into another. One exception: where a host's address is an array itself, the keys of nodes beside
//! it start with one `..`.

use crate::error::{Error, Result};
use crate::network::join;

/// Normalises a path: removes slashes around it and empty segments.
///
/// # Errors
/// [`Error::NotFound`] where a segment is `.` or `..`: no Zarr node can have that name.
pub fn normalise_path(path: &str) -> Result<String> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.iter().any(|segment| matches!(*segment, "." | "..")) {
        return Err(Error::NotFound {
            wanted: "Zarr node".into(),
            path: path.to_owned(),
            tried: Vec::new(),
            hint: "a path inside a store cannot contain . or ..; give the path from the store's root"
                .to_owned(),
        });
    }
    Ok(segments.join("/"))
}

/// Key of the metadata document of the node at a normalised path.
#[must_use]
pub fn metadata_key(path: &str) -> String {
    join(path, "zarr.json")
}

/// Whether a key is the key of a metadata document.
#[must_use]
pub fn is_document(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key);
    matches!(name, "zarr.json" | ".zarray" | ".zgroup" | ".zattrs" | ".zmetadata")
}

/// Makes a path relative to `from`, which contains it or equals it; `None` where it lies elsewhere.
#[must_use]
pub fn path_from<'a>(path: &'a str, from: &str) -> Option<&'a str> {
    match path.strip_prefix(from)? {
        "" => Some(""),
        rest if from.is_empty() => Some(rest),
        rest => rest.strip_prefix('/'),
    }
}

/// Path of the group that contains a node, or of the group `up` levels above that one. Above the source's root it is
/// `None`, except for the group of a node that is a host's address itself (`is_host`): that is `..`.
#[must_use]
pub fn path_above(path: &str, up: usize, is_host: bool) -> Option<String> {
    if path.is_empty() || path.starts_with("..") {
        return (is_host && up == 0).then(|| "..".to_owned());
    }
    let mut folder = Some(path);
    for _ in 0..=up {
        folder = folder.filter(|folder| !folder.is_empty());
        folder = folder.map(|folder| folder.rsplit_once('/').map_or("", |(above, _)| above));
    }
    folder.map(str::to_owned)
}
