//! Zarr v2's `.zarray` and `.zattrs`, read into the same metadata as a `zarr.json`.
//!
//! Invariant: nothing to the right of here knows that an array is of format 2. Fortran order is a
//! `transpose`, the byte order of `dtype` a `bytes` codec, filters and compressor are codecs that v3 names
//! `numcodecs.*`, and every complaint points at the place in the `.zarray`.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#arrays>

mod codecs;
mod fill_value;
mod numpy;

use super::array::{ArrayMetadata, parse_shape};
use super::chunks::chunk_grid;
use super::chunks::chunk_key_encoding::ChunkKeyEncoding;
use super::json::document::Json;
use crate::error::{Gather, Result};
use crate::metadata::json::value::Map;

/// The attribute in which xarray and others keep an array's dimension names.
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

impl ArrayMetadata {
    /// Reads what a `.zarray` holds, and a `.zattrs` where there is one, from documents of their own or from
    /// places in a consolidated one. Fields that the specification does not name are left out of account, as it says.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] with the JSON pointer of what is wrong, [`crate::Error::Unsupported`]
    /// with the name of what is lacking.
    pub fn from_v2(zarray: Json<'_>, zattrs: Option<Json<'_>>) -> Result<Self> {
        let format = zarray.required("zarr_format")?;
        if format.value().as_u64() != Some(2) {
            return Err(format.expected("2, the format that a .zarray describes"));
        }
        let shape = parse_shape(zarray)?;
        let chunk_grid = chunk_grid::parse_v2(zarray.required("chunks")?, &shape)?;
        let codecs = codecs::Codecs::parse(zarray)?;
        let stored = numpy::parse(zarray.required("dtype")?, codecs.object_type())?;
        let fill_value = fill_value::parse(zarray.required("fill_value")?, &stored)?;
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
            codecs: codecs.extensions(zarray, shape.len(), stored.big_endian)?,
            dimension_names: dimension_names(&attributes, shape.len()),
            attributes,
            proposals: Vec::new(),
            shape,
            data_type: stored.data_type,
        })
    }
}

/// The names that xarray gives in an attribute, which is the user's and may be anything: as many as there are axes.
fn dimension_names(attributes: &Map, rank: usize) -> Option<Vec<Option<String>>> {
    let names = attributes.get(DIMENSIONS)?.as_array().filter(|names| names.len() == rank)?;
    names.iter().map(|name| name.as_str().map(|name| Some(name.to_owned()))).gathered()
}
