//! The metadata of one array, from its `zarr.json` or from wherever a group keeps it.
//!
//! Invariant: whatever parses here is consistent: the grid covers the shape, names and fill value
//! fit it, and no field was ignored that the specification says must be understood.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#array-metadata>

use super::chunks::chunk_grid;
use super::chunks::chunk_key_encoding::ChunkKeyEncoding;
use super::extension::Extension;
use super::json::document::Json;
use super::proposal::{Proposal, Proposed};
use super::types::data_type::DataType;
use super::types::fill_value;
use crate::error::{Error, Gather, Result};
use crate::grid::ChunkGrid;
use crate::metadata::json::value::{Map, Value};

/// The most axes of an array: 64, as many as numpy has.
const MAX_RANK: usize = 64;

/// An array's metadata document, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayMetadata {
    /// The Zarr format: 2 or 3.
    pub zarr_format: u8,
    /// JSON pointer of the array's metadata in the document that they were read from; empty for the whole of it.
    pub pointer: String,
    /// Length along each axis.
    pub shape: Vec<u64>,
    /// Type of the items.
    pub data_type: DataType,
    /// How chunks lie along each axis.
    pub chunk_grid: ChunkGrid,
    /// How chunk coordinates become keys.
    pub chunk_keys: ChunkKeyEncoding,
    /// One item, little endian, for everything that is not stored.
    pub fill_value: Vec<u8>,
    /// Whether the metadata leave the fill value open, as only Zarr v2 can.
    pub fill_is_null: bool,
    /// The codecs as written, array side first.
    pub codecs: Vec<Extension>,
    /// User attributes.
    pub attributes: Map,
    /// A name, or none, for each axis.
    pub dimension_names: Option<Vec<Option<String>>>,
    /// Proposed extensions that the metadata use and that were not accepted yet.
    pub proposals: Vec<Proposed>,
}

/// The fields that the specification gives an array.
const FIELDS: [&str; 11] = [
    "zarr_format",
    "node_type",
    "shape",
    "data_type",
    "chunk_grid",
    "chunk_key_encoding",
    "fill_value",
    "codecs",
    "attributes",
    "storage_transformers",
    "dimension_names",
];

impl ArrayMetadata {
    /// Reads a `zarr.json`.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] with the JSON pointer of what is wrong, [`Error::Unsupported`] with
    /// the name of what is lacking.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Self::from_v3(Json::root(&Json::parse(bytes)?))
    }

    /// Reads what a `zarr.json` holds, from a document of its own or a place in a consolidated one.
    ///
    /// # Errors
    /// As [`ArrayMetadata::parse`], with pointers from the start of the document.
    pub fn from_v3(root: Json<'_>) -> Result<Self> {
        check_kind(root)?;
        check_fields(root, &FIELDS)?;

        let shape = parse_shape(root)?;
        let data_type = DataType::parse(root.required("data_type")?)?;
        let grid = chunk_grid::parse(root.required("chunk_grid")?, &shape)?;
        let codecs = root.required("codecs")?.items()?.map(Extension::parse).gathered()?;
        Ok(Self {
            zarr_format: 3,
            pointer: root.pointer(),
            chunk_keys: match (grid.keys, root.field("chunk_key_encoding")) {
                (Some(keys), None) => keys,
                _ => ChunkKeyEncoding::parse(root.required("chunk_key_encoding")?)?,
            },
            chunk_grid: grid.grid,
            proposals: grid.proposals,
            fill_value: fill_value::parse(root.required("fill_value")?, &data_type)?,
            fill_is_null: false,
            codecs,
            attributes: match root.field("attributes") {
                None => Map::new(),
                Some(field) => field.object()?.clone(),
            },
            dimension_names: dimension_names(root, shape.len())?,
            shape,
            data_type,
        })
    }

    /// This metadata, for a caller who accepts these proposals.
    #[must_use]
    pub fn accepting(mut self, accepted: &[Proposal]) -> Self {
        self.proposals.retain(|met| !accepted.contains(&met.proposal));
        self
    }
}

/// The field `shape`, the same in both formats.
pub(super) fn parse_shape(root: Json<'_>) -> Result<Vec<u64>> {
    let shape = root.required("shape")?.items()?.map(|item| item.integer(0)).gathered()?;
    if shape.len() > MAX_RANK {
        return Err(Error::Unsupported {
            feature: format!("an array of {} axes", shape.len()),
            reason: format!("at most {MAX_RANK} are read"),
        });
    }
    Ok(shape)
}

fn check_kind(root: Json<'_>) -> Result<()> {
    let format = root.required("zarr_format")?;
    if format.value().as_u64() != Some(3) {
        return Err(format.expected("3, the format that a zarr.json describes"));
    }
    let kind = root.required("node_type")?;
    match kind.string()? {
        "array" => Ok(()),
        "group" => Err(kind.invalid("this is a group, not an array; add an array's name to the path")),
        _ => Err(kind.expected("\"array\"")),
    }
}

/// Unknown fields must be objects that say `"must_understand": false`; storage transformers are refused.
pub(super) fn check_fields(root: Json<'_>, known: &[&str]) -> Result<()> {
    for (name, value) in root.object()?.iter() {
        let optional = value.get("must_understand") == Some(&Value::Bool(false));
        if !known.contains(&name.as_str()) && !optional {
            return Err(Error::Unsupported {
                feature: format!("the metadata field {name:?}"),
                reason: "it is not part of Zarr v3 and does not say \"must_understand\": false, \
                         so ignoring it could give wrong values"
                    .to_owned(),
            });
        }
    }
    let Some(transformers) = root.field("storage_transformers") else { return Ok(()) };
    match transformers.items()?.next() {
        None => Ok(()),
        Some(first) => Err(Extension::parse(first)?.unsupported("storage transformer", &["none"])),
    }
}

fn dimension_names(root: Json<'_>, rank: usize) -> Result<Option<Vec<Option<String>>>> {
    let Some(field) = root.field("dimension_names").filter(|field| !field.value().is_null()) else {
        return Ok(None);
    };
    let names = field.items()?.map(|name| match name.value() {
        Value::Null => Ok(None),
        _ => name.string().map(|name| Some(name.to_owned())),
    });
    let names = names.gathered()?;
    if names.len() != rank {
        return Err(field.invalid(format!("{} names are given, the array has {rank} axes", names.len())));
    }
    Ok(Some(names))
}
