//! The nodes of a hierarchy from consolidated metadata, with summaries of the arrays.
//!
//! Invariant: an array that this build cannot read is listed like the others, with the fields that are known; the error
//! comes when it is opened.

use std::rc::Rc;

use super::consolidated::{Consolidated, Member, MemberAttributes, below, in_order, place};
use crate::error::{Error, Gather, Result};
use crate::grid::ChunkGrid;
use crate::metadata::array::ArrayMetadata;
use crate::metadata::chunks::chunk_grid;
use crate::metadata::json::document::Json;
use crate::metadata::json::scanned::ScannedJson;
use crate::metadata::json::value::{Map, Value};

/// A node below a group.
#[derive(Debug)]
pub struct Entry {
    /// Path relative to the group.
    pub path: String,
    /// User attributes.
    pub attributes: Map,
    /// Summary of an array; `None` for a group.
    pub array: Option<ArraySummary>,
}

/// Summary of an array that is not opened; fields that cannot be read are `None`.
#[derive(Debug)]
pub struct ArraySummary {
    /// Length along each axis.
    pub shape: Option<Vec<u64>>,
    /// Registered name of the data type, or the name in the metadata if this build does not support it.
    pub data_type: Option<String>,
    /// Name of each axis, or `None` for an axis without one.
    pub dimension_names: Option<Vec<Option<String>>>,
    /// The chunks along each axis.
    pub chunk_grid: Option<ChunkGrid>,
}

/// The largest tree, counting [`NODE_BYTES`] and the path for each node: 64 MiB.
///
/// The reason: one path of many segments implies as many groups, each with a path of its own, so a tree can be
/// thousands of times longer than its document. A tree of ten thousand arrays takes about 1 MiB.
const MAX_TREE_BYTES: usize = 64 << 20;

/// Bytes that a node counts in addition to its path.
const NODE_BYTES: usize = 64;

impl Consolidated {
    /// The nodes below the group at the path `group`, in order, each group before its members; includes groups that
    /// only the paths of their members imply.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the tree exceeds 64 MiB.
    pub fn tree(&self, group: &str) -> Result<impl Iterator<Item = Entry>> {
        let mut paths: Vec<&str> = Vec::new();
        let mut bytes = 0;
        for path in self.paths().filter_map(|path| below(path, group)) {
            for end in path.match_indices('/').map(|(end, _)| end).chain([path.len()]) {
                bytes += end + NODE_BYTES;
                if bytes > MAX_TREE_BYTES {
                    return Err(Error::Unsupported {
                        feature: format!("a tree of more than {MAX_TREE_BYTES} bytes"),
                        reason: "list a group further down, or open members by their paths".to_owned(),
                    });
                }
                paths.push(&path[..end]);
            }
        }
        let group = group.to_owned();
        Ok(in_order(paths).into_iter().filter_map(move |path| self.entry(&group, path)))
    }

    /// The entry of a path; `None` if its document describes neither an array nor a group.
    fn entry(&self, group: &str, path: &str) -> Option<Entry> {
        let whole = if group.is_empty() { path.to_owned() } else { format!("{group}/{path}") };
        let path = path.to_owned();
        let Some(member) = self.member(&whole) else {
            return Some(Entry { path, attributes: Map::new(), array: None });
        };
        // The parts that grids need are loaded with the documents.
        member.ok()?.entry(path).ok()?
    }
}

impl Entry {
    /// The entry of a node by its `zarr.json`, and the documents below it where they are consolidated; `None` for a document
    /// of neither an array nor a group. The document is scanned along `PATH_V3`.
    ///
    /// # Errors
    /// [`Error::PartMissing`] alone.
    pub fn of_v3(document: &Rc<ScannedJson>, path: &str) -> Result<Option<(Self, Option<Consolidated>)>> {
        let Some(rest) = document.without("consolidated_metadata") else { return Ok(None) };
        let entry = Member::V3(rest, String::new()).entry(path.to_owned())?;
        Ok(entry.map(|entry| (entry, Consolidated::from_v3(document))))
    }

    /// The entry of a node by its `.zarray` or `.zgroup` and its `.zattrs`; `None` for a document of neither.
    ///
    /// # Errors
    /// [`Error::PartMissing`] alone.
    pub fn of_v2(
        document: &[u8],
        is_array: bool,
        attributes: Option<Value>,
        path: &str,
    ) -> Result<Option<Self>> {
        let Ok(value) = Json::parse(document) else { return Ok(None) };
        let of = if is_array { Member::V2Array } else { Member::V2Group };
        of(value, String::new(), attributes.map(|attributes| (attributes, String::new())))
            .entry(path.to_owned())
    }
}

impl Member {
    /// The entry of a member; `None` if its document describes neither an array nor a group.
    ///
    /// # Errors
    /// [`Error::PartMissing`] alone.
    pub(crate) fn entry(&self, path: String) -> Result<Option<Entry>> {
        let attributed = |attributes: Option<&Value>, array| {
            Ok(Some(Entry { path, attributes: fields(attributes), array }))
        };
        match self {
            Self::V3(value, pointer) => {
                let attributes = value.get("attributes");
                match value.get("node_type").and_then(Value::as_str) {
                    Some("array") => {
                        attributed(attributes, Some(ArraySummary::v3(Json::at(value, pointer))?))
                    }
                    Some("group") => attributed(attributes, None),
                    _ => Ok(None),
                }
            }
            Self::V2Array(value, pointer, attributes) => attributed(
                attributes.as_ref().map(|(value, _)| value),
                Some(ArraySummary::v2(Json::at(value, pointer), attributes)?),
            ),
            Self::V2Group(_, _, attributes) => attributed(attributes.as_ref().map(|(value, _)| value), None),
        }
    }
}

impl ArraySummary {
    fn v3(root: Json<'_>) -> Result<Self> {
        if let Some(found) = Self::read(ArrayMetadata::from_v3(root))? {
            return Ok(found);
        }
        let written = root.value();
        let shape = shape(written);
        let grid = root.field("chunk_grid").zip(shape.as_deref());
        let grid = grid.map(|(grid, shape)| chunk_grid::parse(grid, shape).map(|found| found.grid));
        let data_type = written.get("data_type").map(|name| name.get("name").unwrap_or(name));
        Ok(Self {
            chunk_grid: known(grid)?,
            data_type: data_type.map(as_written),
            dimension_names: written.get("dimension_names").and_then(names),
            shape,
        })
    }

    fn v2(root: Json<'_>, attributes: &MemberAttributes) -> Result<Self> {
        if let Some(found) = Self::read(ArrayMetadata::from_v2(root, place(attributes)))? {
            return Ok(found);
        }
        let written = root.value();
        let shape = shape(written);
        let grid = root.field("chunks").zip(shape.as_deref());
        let grid = grid.map(|(grid, shape)| chunk_grid::parse_v2(grid, shape));
        let dimensions = attributes.as_ref().and_then(|(value, _)| value.get("_ARRAY_DIMENSIONS"));
        Ok(Self {
            chunk_grid: known(grid)?,
            data_type: written.get("dtype").map(as_written),
            dimension_names: dimensions.and_then(names),
            shape,
        })
    }

    /// Summary of an array that this build reads.
    fn read(metadata: Result<ArrayMetadata>) -> Result<Option<Self>> {
        Ok(known(Some(metadata))?.map(|metadata| Self {
            shape: Some(metadata.shape),
            data_type: Some(metadata.data_type.name().to_owned()),
            dimension_names: metadata.dimension_names,
            chunk_grid: Some(metadata.chunk_grid),
        }))
    }
}

/// A parsed value; `None` where its document is faulty.
///
/// # Errors
/// [`Error::PartMissing`], because the same can be read once the part is there.
fn known<T>(found: Option<Result<T>>) -> Result<Option<T>> {
    match found.transpose() {
        Err(error @ Error::PartMissing(_)) => Err(error),
        found => Ok(found.ok().flatten()),
    }
}

fn fields(value: Option<&Value>) -> Map {
    value.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn shape(written: &Value) -> Option<Vec<u64>> {
    let json = Json::root(written);
    let shape = json.field("shape")?;
    shape.items().ok()?.map(|length| length.integer(0).ok()).gathered()
}

fn names(written: &Value) -> Option<Vec<Option<String>>> {
    written
        .as_array()?
        .iter()
        .map(|name| match name {
            Value::Null => Some(None),
            name => name.as_str().map(|name| Some(name.to_owned())),
        })
        .gathered()
}

/// A name, or the JSON text of any other value.
fn as_written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
