//! The metadata of one array, from its `zarr.json` or from consolidated metadata.
//!
//! Invariant: parsed metadata is consistent: the grid covers the shape, the dimension names and the fill value
//! match the shape and data type, and no field that must be understood was ignored.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#array-metadata>

use super::chunks::chunk_grid;
use super::chunks::chunk_keys::ChunkKeyEncoding;
use super::extension::Extension;
use super::json::document::Json;
use super::proposal::{Proposal, Proposed};
use super::types::data_type::DataType;
use super::types::fill_value;
use crate::error::{Error, Gather, Result};
use crate::grid::ChunkGrid;
use crate::metadata::json::value::{Map, Value};

/// The most axes of an array: 64, as in numpy.
const MAX_RANK: usize = 64;

/// An array's metadata document, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayMetadata {
    /// The Zarr format: 2 or 3.
    pub zarr_format: u8,
    /// JSON pointer of the array's metadata in its document; empty for the whole document.
    pub pointer: String,
    /// Length along each axis.
    pub shape: Vec<u64>,
    /// Type of the items; of no size where this build does not support the type.
    pub data_type: DataType,
    /// The chunks along each axis.
    pub chunk_grid: ChunkGrid,
    /// Encoding of chunk coordinates as keys.
    pub chunk_keys: ChunkKeyEncoding,
    /// Bytes of the item that stands for everything not stored, little endian; none where there is a `fill_fault`.
    pub fill_value: Vec<u8>,
    /// Why reads that need the fill value are refused: it is missing, or no value of the data type.
    pub fill_fault: Option<Error>,
    /// Whether the fill value is null, which only Zarr v2 allows.
    pub fill_is_null: bool,
    /// The codecs in the order of encoding.
    pub codecs: Vec<Extension>,
    /// User attributes.
    pub attributes: Map,
    /// The name of each axis, or `None` for an axis without one; `None` if the metadata has no names.
    pub dimension_names: Option<Vec<Option<String>>>,
    /// Proposed extensions that the metadata uses and the caller has not accepted.
    pub proposals: Vec<Proposed>,
    /// Proposals that the caller accepts.
    pub accepted: Vec<Proposal>,
    /// Why this build cannot read the items, whose data type or codecs it does not support.
    pub refusal: Option<Error>,
    /// JSON text of the document as stored, with the fields of a `.zattrs` under `attributes`; empty for a
    /// concatenation. Parsed JSON of a grid of a million edges would take several times the memory.
    pub document: Box<str>,
}

/// The field by which a virtual store says that it cannot read a part of its file, and why.
pub(crate) const UNREADABLE: &str = "rectilinear_zarr_unreadable";

/// Field of documents that are written for original files: which of the attributes that unpack items are float32 there, as
/// `names`, for JSON has numbers of one kind.
#[cfg(any(feature = "files", feature = "hdf5", feature = "reader"))]
pub(crate) const SINGLES: &str = "rectilinear_zarr_float32";

/// Field of documents that are written for original files: the bytes that a chunk may have been compressed from where it
/// has fewer, as `bytes`. The last strip of a TIFF image may have the rows of a whole one.
pub(crate) const LONGER: &str = "rectilinear_zarr_longer";

/// The configuration of the codec `bytes` that [`LONGER`] stands for. Other readers refuse codecs with fields that they do
/// not know, and documents only where they must understand them.
pub(crate) const LONGEST: &str = "longest";

/// The array metadata fields of the specification.
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
    /// Parses a `zarr.json`.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] with the JSON pointer of the fault, [`Error::Unsupported`] with the name of
    /// the missing feature.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Self::from_v3(Json::root(&Json::parse(bytes)?))
    }

    /// Reads the content of a `zarr.json`, from a document of its own or from consolidated metadata.
    ///
    /// # Errors
    /// As [`ArrayMetadata::parse`], with pointers from the start of the document.
    pub fn from_v3(root: Json<'_>) -> Result<Self> {
        check_kind(root)?;
        check_fields(root, &FIELDS)?;

        let shape = parse_shape(root)?;
        let mut refusal = None;
        let data_type = root.required("data_type")?;
        let data_type =
            refused(DataType::parse(data_type), &mut refusal, || DataType::unknown(data_type.value()))?;
        let mut fill_fault = None;
        let fill_value = if refusal.is_some() {
            None
        } else {
            let field = root.required("fill_value");
            fill_value::or_fault(field, &mut fill_fault, |field| {
                fill_value::parse_spelled(field, &data_type).map(Some)
            })?
        };
        refuse_content(&data_type, fill_fault.as_ref(), &mut refusal);
        let grid = chunk_grid::parse(root.required("chunk_grid")?, &shape)?;
        let mut codecs = root.required("codecs")?.items()?.map(Extension::parse).gathered()?;
        if let (Some(bytes), Some(longer)) =
            (codecs.iter_mut().find(|codec: &&mut Extension| codec.name == "bytes"), root.field(LONGER))
        {
            bytes.configure(LONGEST, longer.required("bytes")?.integer(0)?.into());
        }
        Ok(Self {
            zarr_format: 3,
            pointer: root.pointer(),
            chunk_keys: match (grid.keys, root.field("chunk_key_encoding")) {
                (Some(keys), None) => keys,
                _ => ChunkKeyEncoding::parse(root.required("chunk_key_encoding")?, &grid.grid.shape())?,
            },
            chunk_grid: grid.grid,
            proposals: grid.proposals,
            accepted: Vec::new(),
            fill_value: fill_value.unwrap_or_default(),
            fill_fault,
            fill_is_null: false,
            codecs,
            attributes: attributes(root.field("attributes"))?,
            dimension_names: dimension_names(root, shape.len())?,
            shape,
            data_type,
            refusal,
            document: root.value().to_string().into(),
        })
    }

    /// Notes the proposals that the caller accepts, and removes them from [`ArrayMetadata::proposals`].
    #[must_use]
    pub fn accepting(mut self, accepted: &[Proposal]) -> Self {
        self.proposals.retain(|met| !accepted.contains(&met.proposal));
        self.accepted = accepted.to_vec();
        self
    }
}

/// Replaces a part that this build does not support, and notes the first such error; other errors pass through.
pub(super) fn refused<T>(
    found: Result<T>,
    refusal: &mut Option<Error>,
    instead: impl FnOnce() -> T,
) -> Result<T> {
    match found {
        Err(error @ Error::Unsupported { .. }) => {
            refusal.get_or_insert(error);
            Ok(instead())
        }
        found => found,
    }
}

/// Refuses all reads of items of variable length without a fill value, because their shards would take it for empty.
pub(super) fn refuse_content(data_type: &DataType, fault: Option<&Error>, refusal: &mut Option<Error>) {
    if data_type.is_variable() && refusal.is_none() {
        *refusal = fault.cloned();
    }
}

/// Reads the field `shape`, which both formats have; some writers give one axis as a bare number.
pub(super) fn parse_shape(root: Json<'_>) -> Result<Vec<u64>> {
    let field = root.required("shape")?;
    if field.value().is_number() {
        return Ok(vec![field.integer(0)?]);
    }
    let shape = field.items()?.map(|item| item.integer(0)).gathered()?;
    if shape.len() > MAX_RANK {
        return Err(Error::Unsupported {
            feature: format!("an array of {} axes", shape.len()),
            reason: format!("at most {MAX_RANK} axes are read"),
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

/// Reads user attributes; empty if there is no such field or document, or if it is null.
pub(super) fn attributes(json: Option<Json<'_>>) -> Result<Map> {
    let json = json.filter(|json| !json.value().is_null());
    json.map_or_else(|| Ok(Map::new()), |json| Ok(json.object()?.clone()))
}

/// Refuses unknown fields that are not objects with `"must_understand": false`, and storage transformers.
pub(super) fn check_fields(root: Json<'_>, known: &[&str]) -> Result<()> {
    for (name, value) in root.object()?.iter() {
        let optional = value.get("must_understand") == Some(&Value::Bool(false));
        if name == UNREADABLE {
            return Err(unreadable(value));
        }
        if !known.contains(&name.as_str()) && !optional {
            return Err(Error::Unsupported {
                feature: format!("the metadata field {name:?}"),
                reason: "it is not part of Zarr v3 and does not say \"must_understand\": false, \
                         so ignoring it could give wrong values"
                    .to_owned(),
            });
        }
    }
    let transformers = root.field("storage_transformers").filter(|field| !field.value().is_null());
    let Some(transformers) = transformers else { return Ok(()) };
    match transformers.items()?.next() {
        None => Ok(()),
        Some(first) => Err(Extension::parse(first)?.unsupported("storage transformer", &["none"])),
    }
}

/// The error that the field [`UNREADABLE`] tells.
fn unreadable(value: &Value) -> Error {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let reason = text("reason").unwrap_or_default();
    match text("feature") {
        Some(feature) => Error::Unsupported { feature, reason },
        None => Error::metadata(text("path").unwrap_or_default(), reason),
    }
}

fn dimension_names(root: Json<'_>, rank: usize) -> Result<Option<Vec<Option<String>>>> {
    let Some(field) = root.field("dimension_names").filter(|field| !field.value().is_null()) else {
        return Ok(None);
    };
    if let (Value::String(name), 1) = (field.value(), rank) {
        return Ok(Some(vec![Some(name.clone())]));
    }
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
