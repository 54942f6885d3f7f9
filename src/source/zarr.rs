//! Plain Zarr: one key for each chunk and each metadata document, and the paths that keys are made of.
//!
//! Invariant: keys never start or end with a slash and hold no empty, `.` or `..` segment, so no
//! store or URL parser can turn one into another; but that of what lies beside an array which is a
//! host's address by itself starts with one `..`.

use super::request::{ByteRange, Request};
use crate::error::{Error, Result};
use crate::metadata::ChunkKeyEncoding;

/// A plain Zarr hierarchy: one key for each chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZarrKeys {
    path: String,
    encoding: ChunkKeyEncoding,
}

impl ZarrKeys {
    /// The keys of the array at a normalised path.
    #[must_use]
    pub fn new(path: &str, encoding: ChunkKeyEncoding) -> Self {
        Self { path: path.to_owned(), encoding }
    }

    /// The array's path, without slashes around it; empty for the root.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where the chunk of these coordinates is.
    #[must_use]
    pub fn chunk(&self, coords: &[u64]) -> Request {
        let mut key = String::with_capacity(self.path.len() + 4 + 4 * coords.len());
        if !self.path.is_empty() {
            key.push_str(&self.path);
            key.push('/');
        }
        self.encoding.push_key(coords, &mut key);
        Request { key, range: ByteRange::All }
    }
}

/// A path as users write it, without slashes around it and without empty segments.
///
/// # Errors
/// [`Error::NotFound`] where a segment is `.` or `..`, which no Zarr node can be called.
pub fn normalise_path(path: &str) -> Result<String> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.iter().any(|segment| matches!(*segment, "." | "..")) {
        return Err(Error::NotFound {
            wanted: "Zarr node".into(),
            path: path.to_owned(),
            tried: Vec::new(),
            hint: "a path inside a store cannot have . or .. in it; give the path from the store's root"
                .to_owned(),
        });
    }
    Ok(segments.join("/"))
}

/// The key of the metadata document of the node at a normalised path.
#[must_use]
pub fn metadata_key(path: &str) -> String {
    join(path, "zarr.json")
}

/// Whether a key is that of a metadata document.
#[must_use]
pub fn is_document(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key);
    matches!(name, "zarr.json" | ".zarray" | ".zgroup" | ".zattrs" | ".zmetadata")
}

/// A path from another on that it lies in or is; none where it lies elsewhere.
#[must_use]
pub fn path_from<'a>(path: &'a str, from: &str) -> Option<&'a str> {
    match path.strip_prefix(from)? {
        "" => Some(""),
        rest if from.is_empty() => Some(rest),
        rest => rest.strip_prefix('/'),
    }
}

/// The path of the group that a node is in, or of one so many groups above; none above the source, but for the group of
/// a node that is a host's address by itself.
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

/// The key of a name inside a path, or a path inside another; an empty path is the root.
#[must_use]
pub fn join(path: &str, name: &str) -> String {
    match (path, name) {
        ("", alone) | (alone, "") => alone.to_owned(),
        _ => format!("{path}/{name}"),
    }
}
