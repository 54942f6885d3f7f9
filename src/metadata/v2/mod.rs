//! Zarr v2's `.zarray` and `.zattrs`, read into the same metadata as a `zarr.json`.
//!
//! Invariant: later rooms do not distinguish format 2. Fortran order becomes a `transpose` codec, the byte order of
//! `dtype` a `bytes` codec, filters and compressor the codecs that v3 names `numcodecs.*`, and every error points at
//! the place in the `.zarray`.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#arrays>

mod codecs;
mod fill_value;
mod numpy;

use super::array::{ArrayMetadata, parse_shape, refused};
use super::chunks::chunk_grid;
use super::chunks::chunk_key_encoding::ChunkKeyEncoding;
use super::json::document::Json;
use crate::error::{Gather, Result};
use crate::metadata::json::value::{Map, Value};
use crate::metadata::types::data_type::DataType;

/// Attribute in which xarray and others store an array's dimension names.
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

impl ArrayMetadata {
    /// Reads the content of a `.zarray` and, if there is one, a `.zattrs`, from documents of their own or from
    /// consolidated metadata. Unknown fields are ignored, as the specification says.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] with the JSON pointer of the fault, [`crate::Error::Unsupported`]
    /// with the name of the missing feature.
    pub fn from_v2(zarray: Json<'_>, zattrs: Option<Json<'_>>) -> Result<Self> {
        let format = zarray.required("zarr_format")?;
        if format.value().as_u64() != Some(2) {
            return Err(format.expected("2, the format that a .zarray describes"));
        }
        let shape = parse_shape(zarray)?;
        let chunk_grid = chunk_grid::parse_v2(zarray.required("chunks")?, &shape)?;
        let codecs = codecs::Codecs::parse(zarray)?;
        let (dtype, mut refusal) = (zarray.required("dtype")?, None);
        let unknown = || numpy::NumpyType { data_type: DataType::unknown(dtype.value()), big_endian: false };
        let stored = refused(numpy::parse(dtype, codecs.object_type()), &mut refusal, unknown)?;
        let fill_value = match zarray.required("fill_value")? {
            _ if refusal.is_some() => Some(Vec::new()),
            field => fill_value::parse(field, &stored)?,
        };
        let codecs = codecs.extensions(zarray, shape.len(), stored.big_endian);
        let codecs = refused(codecs, &mut refusal, Vec::new)?;
        let mut document = zarray.object()?.clone();
        if let Some(zattrs) = zattrs {
            document.insert("attributes".to_owned(), zattrs.value().clone());
        }
        let attributes = match zattrs {
            None => Map::new(),
            Some(zattrs) => zattrs.object()?.clone(),
        };
        Ok(Self {
            zarr_format: 2,
            pointer: zarray.pointer(),
            chunk_grid,
            chunk_keys: ChunkKeyEncoding::v2(zarray.field("dimension_separator"))?,
            fill_is_null: fill_value.is_none(),
            fill_value: fill_value.unwrap_or_else(|| fill_value::unset(&stored.data_type)),
            codecs,
            dimension_names: dimension_names(&attributes, shape.len()),
            attributes,
            proposals: Vec::new(),
            accepted: Vec::new(),
            shape,
            data_type: stored.data_type,
            refusal,
            document: Value::Object(document).to_string().into(),
        })
    }
}

/// Reads xarray's attribute of dimension names; `None` unless it is a list of one name for each axis, because user
/// attributes may hold anything.
fn dimension_names(attributes: &Map, rank: usize) -> Option<Vec<Option<String>>> {
    let names = attributes.get(DIMENSIONS)?.as_array().filter(|names| names.len() == rank)?;
    names.iter().map(|name| name.as_str().map(|name| Some(name.to_owned()))).gathered()
}
