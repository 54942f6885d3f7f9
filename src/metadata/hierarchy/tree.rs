//! The nodes of a hierarchy from consolidated metadata, and of arrays what can be said without opening them.
//!
//! Invariant: an array that this build cannot read is listed like the others, with what is known of it; opening it is
//! where the error belongs.

use super::consolidated::{Consolidated, Member, MemberAttributes, below, in_order, place};
use crate::error::{Error, Gather, Result};
use crate::grid::ChunkGrid;
use crate::metadata::array::ArrayMetadata;
use crate::metadata::chunks::chunk_grid;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::{Map, Value};

/// A node below a group.
#[derive(Debug)]
pub struct Entry {
    /// Its path from the group on.
    pub path: String,
    /// User attributes.
    pub attributes: Map,
    /// Summary of an array; nothing where the node is a group.
    pub array: Option<ArraySummary>,
}

/// Summary of an array, as far as it is known without opening it.
#[derive(Debug)]
pub struct ArraySummary {
    /// Length along each axis.
    pub shape: Option<Vec<u64>>,
    /// The data type's registered name, or what is written where this build does not know it.
    pub data_type: Option<String>,
    /// A name, or none, for each axis.
    pub dimension_names: Option<Vec<Option<String>>>,
    /// How chunks lie along each axis.
    pub chunk_grid: Option<ChunkGrid>,
}

/// The most that a tree may come to, counting [`NODE_BYTES`] and the path for each node: 64 MiB.
///
/// The reason: one path of many segments tells of as many groups, each with a path of its own, so that a tree could
/// be thousands of times longer than its document. Of ten thousand arrays it is about 1 MiB.
const MAX_TREE_BYTES: usize = 64 << 20;

/// Bytes that a node counts as beside its path.
const NODE_BYTES: usize = 64;

impl Consolidated {
    /// The nodes below the group at a path, each group before what is in it and names in order; without the group
    /// itself, and with the groups that only paths below them tell of.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where there are more than 64 MiB of them.
    pub fn tree(&self, group: &str) -> Result<impl Iterator<Item = Entry>> {
        let mut paths: Vec<&str> = Vec::new();
        let mut bytes = 0;
        for path in self.paths().filter_map(|path| below(path, group)) {
            for end in path.match_indices('/').map(|(end, _)| end).chain([path.len()]) {
                bytes += end + NODE_BYTES;
                if bytes > MAX_TREE_BYTES {
                    return Err(Error::Unsupported {
                        feature: "a tree of so many groups".to_owned(),
                        reason: format!(
                            "it comes to more than {MAX_TREE_BYTES} bytes; open members by their paths"
                        ),
                    });
                }
                paths.push(&path[..end]);
            }
        }
        let group = group.to_owned();
        Ok(in_order(paths).into_iter().filter_map(move |path| self.entry(&group, path)))
    }

    /// The entry of a path; nothing where its document is neither an array's nor a group's.
    fn entry(&self, group: &str, path: &str) -> Option<Entry> {
        let whole = if group.is_empty() { path.to_owned() } else { format!("{group}/{path}") };
        let path = path.to_owned();
        let Some(member) = self.member(&whole) else {
            return Some(Entry { path, attributes: Map::new(), array: None });
        };
        match &member.ok()? {
            Member::V3(value, pointer) => {
                let array = match value.get("node_type")?.as_str()? {
                    "array" => Some(ArraySummary::v3(Json::at(value, pointer))),
                    "group" => None,
                    _ => return None,
                };
                Some(Entry { path, attributes: fields(value.get("attributes")), array })
            }
            Member::V2Array(value, pointer, attributes) => {
                let array = Some(ArraySummary::v2(Json::at(value, pointer), attributes));
                Some(Entry { path, attributes: fields(attributes.as_ref().map(|(value, _)| value)), array })
            }
            Member::V2Group(_, _, attributes) => {
                let attributes = fields(attributes.as_ref().map(|(value, _)| value));
                Some(Entry { path, attributes, array: None })
            }
        }
    }
}

impl ArraySummary {
    fn v3(root: Json<'_>) -> Self {
        ArrayMetadata::from_v3(root).map_or_else(
            |_| {
                let written = root.value();
                let shape = shape(written);
                let grid = root.field("chunk_grid").zip(shape.as_deref());
                let data_type = written.get("data_type").map(|name| name.get("name").unwrap_or(name));
                Self {
                    chunk_grid: grid
                        .and_then(|(grid, shape)| Some(chunk_grid::parse(grid, shape).ok()?.grid)),
                    data_type: data_type.map(as_written),
                    dimension_names: written.get("dimension_names").and_then(names),
                    shape,
                }
            },
            Self::of,
        )
    }

    fn v2(root: Json<'_>, attributes: &MemberAttributes) -> Self {
        ArrayMetadata::from_v2(root, place(attributes)).map_or_else(
            |_| {
                let written = root.value();
                let shape = shape(written);
                let grid = root.field("chunks").zip(shape.as_deref());
                let dimensions = attributes.as_ref().and_then(|(value, _)| value.get("_ARRAY_DIMENSIONS"));
                Self {
                    chunk_grid: grid.and_then(|(grid, shape)| chunk_grid::parse_v2(grid, shape).ok()),
                    data_type: written.get("dtype").map(as_written),
                    dimension_names: dimensions.and_then(names),
                    shape,
                }
            },
            Self::of,
        )
    }

    fn of(metadata: ArrayMetadata) -> Self {
        Self {
            shape: Some(metadata.shape),
            data_type: Some(metadata.data_type.name().to_owned()),
            dimension_names: metadata.dimension_names,
            chunk_grid: Some(metadata.chunk_grid),
        }
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

/// A name, or whatever stands in its place.
fn as_written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
