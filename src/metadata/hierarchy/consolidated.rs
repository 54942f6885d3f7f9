//! Consolidated metadata: the documents of all nodes below a group, in one document.
//!
//! In v3 it is a field of the group's `zarr.json`, `"consolidated_metadata": {"kind": "inline", "must_understand":
//! false, "metadata": {"a/b": {…}}}`; in v2 it is the document `.zmetadata`, `{"zarr_consolidated_format": 1,
//! "metadata": {".zgroup": {…}, "a/b/.zarray": {…}, "a/b/.zattrs": {…}}}`. Neither is in the specification; zarr-python
//! writes both.
//!
//! Invariants: consolidated metadata is a copy that saves requests, so a malformed one, or one of an unknown kind, is
//! ignored, and a node that is not in it may still be stored. A member's document stays text until it is requested: of
//! ten thousand arrays, few are opened.

use std::rc::Rc;

use crate::error::Result;
use crate::metadata::json::document::{Json, unreadable};
use crate::metadata::json::scanned::{STEP_BYTES, ScannedJson, parse_part};
use crate::metadata::json::value::Value;

/// Names that lead to the documents in a `zarr.json`.
pub const PATH_V3: &[&str] = &["consolidated_metadata", "metadata"];

/// Names that lead to the documents in a `.zmetadata`.
pub const PATH_V2: &[&str] = &["metadata"];

/// The documents below one group.
#[derive(Debug)]
pub struct Consolidated {
    zarr_format: u8,
    /// The document that holds the others, by key: a member's path in v3, its path and the document's name in v2.
    document: Rc<ScannedJson>,
}

/// Metadata of a member as JSON, each document with its JSON pointer.
pub(crate) enum Member {
    /// The `zarr.json` of an array or a group, and its pointer.
    V3(Value, String),
    /// The `.zarray` of an array, its pointer, and the `.zattrs`.
    V2Array(Value, String, MemberAttributes),
    /// The `.zgroup` of a group, its pointer, and the `.zattrs`.
    V2Group(Value, String, MemberAttributes),
}

/// A `.zattrs` and its JSON pointer, if there is one.
pub(crate) type MemberAttributes = Option<(Value, String)>;

impl Consolidated {
    /// The consolidated metadata of a `zarr.json` that is scanned along [`PATH_V3`]; `None` if they are missing, malformed
    /// or of an unknown kind.
    pub(crate) fn from_v3(document: &Rc<ScannedJson>) -> Option<Self> {
        if document.value(1, "kind")? != "inline" {
            return None;
        }
        document.len(2)?;
        Some(Self { zarr_format: 3, document: Rc::clone(document) })
    }

    /// Parses a `.zmetadata`; `None` if it is malformed or of an unknown format.
    #[must_use]
    pub fn parse_v2(bytes: &[u8]) -> Option<Self> {
        Self::from_v2(&ScannedJson::parse(bytes.to_vec(), PATH_V2).ok()?.into())
    }

    /// The consolidated metadata of a `.zmetadata` that is scanned along [`PATH_V2`]; `None` if it is malformed or of an
    /// unknown format.
    #[must_use]
    pub fn from_v2(document: &Rc<ScannedJson>) -> Option<Self> {
        document.check().ok()?;
        // A folder of kerchunk references has documents without chunks.
        let is_folder = document.get(0, "record_size").is_some();
        if is_folder || document.value(0, "zarr_consolidated_format")?.as_u64() != Some(1) {
            return None;
        }
        document.len(1)?;
        Some(Self { zarr_format: 2, document: Rc::clone(document) })
    }

    /// The Zarr format: 2 or 3.
    #[must_use]
    pub fn zarr_format(&self) -> u8 {
        self.zarr_format
    }

    /// Whether an array may have shards, or a grid that is not regular: whether a document has such a name, or an escape
    /// that could hide one. Looks through the documents in slices: `None` at the end.
    pub fn may_need_grids(&self) -> impl Iterator<Item = bool> {
        const NAMES: [&[u8]; 5] =
            [b"rectilinear\"", b"sharding_indexed\"", b"rectangular\"", b"cfdb\"", b"type\""];
        // Smaller in the module than a search by the standard library.
        let is_name = |at: &[u8]| match at {
            [b'"', name @ ..] => NAMES.iter().any(|known| name.starts_with(known)),
            [b'\\', escaped @ ..] => escaped.first() == Some(&b'u'),
            _ => false,
        };
        let text = if self.zarr_format == 3 { self.document.get(1, "metadata") } else { None };
        let text = text.unwrap_or_default().as_bytes();
        let starts = (0..text.len()).step_by(STEP_BYTES);
        starts.map(move |start| (start..text.len().min(start + STEP_BYTES)).any(|at| is_name(&text[at..])))
    }

    /// The names of the members of the group at `path`; an empty path is this group.
    #[must_use]
    pub fn members(&self, path: &str) -> Vec<&str> {
        let names = self.paths().filter_map(|found| below(found, path)?.split('/').next());
        in_order(names.collect())
    }

    /// The paths of the nodes below the group, in no particular order.
    ///
    /// Keys with an empty segment, `.` or `..` are left out, because no path can name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let is_v3 = self.zarr_format == 3;
        let path = move |key: &'_ str| {
            if is_v3 {
                return Some(key.len());
            }
            let path = key.strip_suffix(".zarray").or_else(|| key.strip_suffix(".zgroup"))?;
            path.strip_suffix('/').map(str::len)
        };
        let paths = self.document.names().filter_map(move |key| key.get(..path(key)?));
        paths.filter(|path| path.split('/').all(|segment| !matches!(segment, "" | "." | "..")))
    }

    /// The documents of the node at `path`; `None` if there are none.
    pub(crate) fn member(&self, path: &str) -> Option<Result<Member>> {
        if self.zarr_format == 3 {
            return Some(self.document(path)?.map(|(value, pointer)| Member::V3(value, pointer)));
        }
        let key = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        let attributes = || self.document(&key(".zattrs")).transpose();
        let array = self.document(&key(".zarray")).map(|found| {
            let (value, pointer) = found?;
            Ok(Member::V2Array(value, pointer, attributes()?))
        });
        array.or_else(|| {
            Some(
                self.document(&key(".zgroup"))?
                    .and_then(|(value, pointer)| Ok(Member::V2Group(value, pointer, attributes()?))),
            )
        })
    }

    /// A document and its JSON pointer.
    fn document(&self, key: &str) -> Option<Result<(Value, String)>> {
        let text = self.document.get(usize::from(self.zarr_format - 1), key)?;
        let field = if self.zarr_format == 3 { "/consolidated_metadata/metadata" } else { "/metadata" };
        let pointer = format!("{field}/{}", key.replace('~', "~0").replace('/', "~1"));
        Some(match parse_part(text) {
            Ok(value) => Ok((value, pointer)),
            Err(error) => Err(unreadable(&pointer, &error)),
        })
    }
}

/// The attributes with their place in the document.
pub(crate) fn place(attributes: &MemberAttributes) -> Option<Json<'_>> {
    attributes.as_ref().map(|(value, pointer)| Json::at(value, pointer))
}

/// Sorts paths and removes duplicates: a group comes before its members, and they come before the group's next sibling.
pub(crate) fn in_order(mut paths: Vec<&str>) -> Vec<&str> {
    paths.sort_unstable_by(|one, other| one.split('/').cmp(other.split('/')));
    paths.dedup();
    paths
}

/// A path relative to a group; `None` if it is not below the group.
pub(crate) fn below<'a>(path: &'a str, group: &str) -> Option<&'a str> {
    if group.is_empty() { Some(path) } else { path.strip_prefix(group)?.strip_prefix('/') }
}
