//! Where a chunk's bytes are: from chunk coordinates to a request on a store.
//!
//! Invariant: keys never start or end with a slash and hold no empty, `.` or `..` segment, so no
//! store or URL parser can turn one into another.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::metadata::ChunkKeyEncoding;

/// Where a chunk's bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// Nowhere: it is known not to be stored.
    Missing,
    /// Where someone must ask; the answer is the bytes, or that nothing is stored.
    Stored(Request),
}

/// Bytes that someone must fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Store key, without a leading slash.
    pub key: String,
    /// Which of its bytes.
    pub range: ByteRange,
}

/// Which bytes of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByteRange {
    /// All of them.
    All,
    /// From the start up to and without the end.
    Span(Range<u64>),
    /// From there to the end.
    From(u64),
    /// So many at the end.
    Suffix(u64),
}

impl ByteRange {
    /// The bytes of a whole value that was given although a part was asked for, if it has them.
    #[must_use]
    pub fn of_length(&self, length: u64) -> Option<Range<u64>> {
        match self {
            Self::All => Some(0..length),
            Self::Span(span) => Some(span.clone()).filter(|span| span.end <= length),
            Self::From(start) => Some(*start..length).filter(|range| range.start <= length),
            Self::Suffix(bytes) => length.checked_sub(*bytes).map(|start| start..length),
        }
    }
}

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
            wanted: "node",
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

/// A path from another on that it lies in or is; none where it lies elsewhere.
#[must_use]
pub fn path_from<'a>(path: &'a str, from: &str) -> Option<&'a str> {
    match path.strip_prefix(from)? {
        "" => Some(""),
        rest if from.is_empty() => Some(rest),
        rest => rest.strip_prefix('/'),
    }
}

/// The key of a name inside a path, or a path inside another; an empty path is the root.
#[must_use]
pub fn join(path: &str, name: &str) -> String {
    match (path, name) {
        ("", alone) | (alone, "") => alone.to_owned(),
        _ => format!("{path}/{name}"),
    }
}
