//! Zarr v2's `.zarray` and `.zattrs`, read into the same metadata as a `zarr.json`.
//!
//! Invariant: later rooms do not distinguish format 2. Fortran order becomes a `transpose` codec, the byte order of
//! `dtype` a `bytes` codec, filters and compressor the codecs that v3 names `numcodecs.*`, and every error points at
//! the place in the `.zarray`.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#arrays>

mod codecs;
mod fill_value;
mod numpy;

use super::array::{ArrayMetadata, attributes, parse_shape, refuse_content, refused};
use super::chunks::chunk_grid;
use super::chunks::chunk_keys::ChunkKeyEncoding;
use super::json::document::Json;
use crate::error::{Gather, Result};
use crate::metadata::json::value::{Map, Value};
use crate::metadata::types::data_type::DataType;
use crate::metadata::types::fill_value::or_fault;

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
        let mut fill_fault = None;
        let fill_value = if refusal.is_some() {
            Some(Vec::new())
        } else {
            let field = zarray.required("fill_value");
            or_fault(field, &mut fill_fault, |field| fill_value::parse(field, &stored))?
        };
        refuse_content(&stored.data_type, fill_fault.as_ref(), &mut refusal);
        let codecs = codecs.extensions(zarray, shape.len(), stored.big_endian);
        let codecs = refused(codecs, &mut refusal, Vec::new)?;
        let mut document = zarray.object()?.clone();
        if let Some(zattrs) = zattrs {
            document.insert("attributes".to_owned(), zattrs.value().clone());
        }
        let attributes = attributes(zattrs)?;
        Ok(Self {
            zarr_format: 2,
            pointer: zarray.pointer(),
            chunk_grid,
            chunk_keys: ChunkKeyEncoding::v2(
                zarray.field("dimension_separator").filter(|field| !field.value().is_null()),
            )?,
            fill_is_null: fill_value.is_none(),
            fill_fault,
            fill_value: fill_value.unwrap_or_else(|| fill_value::unset(&stored.data_type)),
            codecs,
            dimension_names: dimension_names(&attributes, zarray.value(), shape.len()),
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

/// Reads xarray's attribute of dimension names, or netCDF-C's references to dimensions; `None` unless there is one name for
/// each axis, because user attributes may hold anything.
fn dimension_names(attributes: &Map, zarray: &Value, rank: usize) -> Option<Vec<Option<String>>> {
    let found = attributes.get(DIMENSIONS).and_then(|names| one_each(names, rank));
    found.or_else(|| nczarr_names(attributes, zarray, rank))
}

/// The text of each item of a list as long as the rank; a bare text stands for a list of one.
fn one_each(names: &Value, rank: usize) -> Option<Vec<Option<String>>> {
    let names = match names {
        Value::String(_) => std::slice::from_ref(names),
        names => names.as_array()?,
    };
    let names = Some(names).filter(|names| names.len() == rank)?;
    names.iter().map(|name| name.as_str().map(|name| Some(name.to_owned()))).gathered()
}

/// Names of netCDF-C: paths of dimensions, in the `.zarray` by version 4.8 and in the `.zattrs` by later ones.
fn nczarr_names(attributes: &Map, zarray: &Value, rank: usize) -> Option<Vec<Option<String>>> {
    const PLACES: [&str; 2] = ["_NCZARR_ARRAY", "_nczarr_array"];
    const FIELDS: [&str; 2] = ["dimrefs", "dimension_references"];
    let place = PLACES.iter().find_map(|name| zarray.get(name).or_else(|| attributes.get(name)))?;
    let paths = FIELDS.iter().find_map(|name| one_each(place.get(name)?, rank))?;
    let last = |path: Option<String>| path.map(|path| path.rsplit('/').next().unwrap_or_default().to_owned());
    Some(paths.into_iter().map(last).collect())
}
