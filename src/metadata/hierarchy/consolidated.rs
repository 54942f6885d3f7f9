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

use std::collections::BTreeMap;

use crate::error::Result;
use crate::metadata::json::document::{Json, unreadable};
use crate::metadata::json::members::{member, member_value, members};
use crate::metadata::json::value::Value;

/// The documents below one group.
#[derive(Debug)]
pub struct Consolidated {
    zarr_format: u8,
    /// Documents by key: a member's path in v3, its path and the document's name in v2.
    documents: BTreeMap<String, Box<str>>,
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
    /// Reads the field of a `zarr.json`; `None` if it is malformed or of an unknown kind.
    pub(crate) fn from_v3(field: &str) -> Option<Self> {
        let fields = members(field.as_bytes())?;
        if member_value(&fields, "kind")? != "inline" {
            return None;
        }
        Self::of(3, member(&fields, "metadata")?)
    }

    /// Reads a `.zmetadata`; `None` if it is malformed or of an unknown format.
    #[must_use]
    pub fn parse_v2(bytes: &[u8]) -> Option<Self> {
        let (rest, documents) = Json::parse_without(bytes, "metadata").ok()?;
        // A folder of kerchunk references has documents without chunks.
        let is_folder = rest.get("record_size").is_some();
        if is_folder || rest.get("zarr_consolidated_format")?.as_u64() != Some(1) {
            return None;
        }
        Self::of(2, &documents?)
    }

    /// The documents of a JSON object. They are inserted one by one, because `collect` would add a sort to the module.
    fn of(zarr_format: u8, object: &str) -> Option<Self> {
        let mut documents = BTreeMap::new();
        for (key, text) in members(object.as_bytes())? {
            documents.insert(key, text.into());
        }
        Some(Self { zarr_format, documents })
    }

    /// The Zarr format: 2 or 3.
    #[must_use]
    pub fn zarr_format(&self) -> u8 {
        self.zarr_format
    }

    /// Whether an array may have shards, or a grid that is not regular: whether a document has such a name anywhere, or
    /// an escape that could hide one.
    #[must_use]
    pub fn may_need_grids(&self) -> bool {
        const NAMES: [&[u8]; 5] =
            [b"rectilinear\"", b"sharding_indexed\"", b"rectangular\"", b"cfdb\"", b"type\""];
        // Smaller in the module than a search by the standard library.
        let is_name = |at: &[u8]| match at {
            [b'"', name @ ..] => NAMES.iter().any(|known| name.starts_with(known)),
            [b'\\', escaped @ ..] => escaped.first() == Some(&b'u'),
            _ => false,
        };
        let has_name = |text: &[u8]| (0..text.len()).any(|at| is_name(&text[at..]));
        self.zarr_format == 3 && self.documents.values().any(|text| has_name(text.as_bytes()))
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
        let paths = self.documents.keys().filter_map(move |key| key.get(..path(key)?));
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
        let text = self.documents.get(key)?;
        let field = if self.zarr_format == 3 { "/consolidated_metadata/metadata" } else { "/metadata" };
        let pointer = format!("{field}/{}", key.replace('~', "~0").replace('/', "~1"));
        Some(match Value::parse(text.as_bytes()) {
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
