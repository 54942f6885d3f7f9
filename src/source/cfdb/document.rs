//! Zarr documents of a data set: one for each variable, and the root's with all of them consolidated.
//!
//! Attributes are as the user wrote them. Fields that cfdb keeps apart are added where an attribute of that name is
//! missing: `units` and `axis`, as in cfdb's own backend for xarray; `crs` as pyproj writes it, and in the form that
//! viewers look for, `proj:code` for the code of an authority or `crs_wkt` for well-known text; for geometries,
//! `geometry_type` and `encoding`.

use std::collections::BTreeMap;

use super::dataset::{Dataset, DatasetVariable, OWN};
use super::stored::StoredType;
use crate::metadata::{ALIGNED, Map, Value};

impl Dataset {
    /// Writes the root's document.
    pub(super) fn root(&self, attributes: &BTreeMap<String, Value>) -> Vec<u8> {
        let mut own = of(attributes, OWN);
        if let Some(crs) = &self.crs {
            add(&mut own, "crs", crs);
            let is_code = crs.split_once(':').is_some_and(|(authority, code)| {
                [authority, code]
                    .iter()
                    .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            });
            if is_code {
                add(&mut own, "proj:code", crs);
            } else if crs.contains('[') {
                add(&mut own, "crs_wkt", crs);
            }
        }
        let mut members = String::new();
        for variable in &self.variables {
            let comma = if members.is_empty() { "" } else { "," };
            members.push_str(&format!("{comma}{}:{}", quoted(&variable.name), variable.document(attributes)));
        }
        let own = Value::Object(own);
        let kept = format!(r#"{{"kind":"inline","must_understand":false,"metadata":{{{members}}}}}"#);
        let fields = format!(r#""attributes":{own},"consolidated_metadata":{kept}"#);
        format!(r#"{{"zarr_format":3,"node_type":"group",{fields}}}"#).into_bytes()
    }
}

impl DatasetVariable {
    /// Writes the variable's document.
    pub(super) fn document(&self, attributes: &BTreeMap<String, Value>) -> String {
        let mut own = of(attributes, &self.name);
        if let Some(units) = &self.units {
            add(&mut own, "units", units);
        }
        if let Some(axis) = &self.axis {
            add(&mut own, "axis", &axis.to_ascii_uppercase());
        }
        if let Some(geometry) = self.stored.geometry {
            add(&mut own, "geometry_type", geometry);
            add(&mut own, "encoding", "WKT");
        }
        let StoredType { data_type, fill_value, codecs, .. } = &self.stored;
        let names = self.dimensions.iter().map(String::as_str).collect::<Value>();
        let (own, shape, grid) = (Value::Object(own), &self.shape, self.chunk_grid());
        format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":{shape:?},"data_type":{data_type},"chunk_grid":{grid},"chunk_key_encoding":{{"name":"default"}},"fill_value":{fill_value},"codecs":{codecs},"attributes":{own},"dimension_names":{names}}}"#
        )
    }

    /// Writes the chunk grid: regular, unless the array begins within a chunk.
    fn chunk_grid(&self) -> String {
        let Self { chunk_shape, origin, .. } = self;
        let mut starts = origin.iter().zip(chunk_shape);
        if starts.all(|(origin, edge)| origin.rem_euclid(edge.cast_signed()) == 0) {
            return format!(r#"{{"name":"regular","configuration":{{"chunk_shape":{chunk_shape:?}}}}}"#);
        }
        let settings = format!(r#"{{"chunk_shape":{chunk_shape:?},"origin":{origin:?}}}"#);
        format!(r#"{{"name":"{ALIGNED}","configuration":{settings}}}"#)
    }
}

/// Writes text as a JSON string.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Attributes of a variable as the user wrote them, or an empty map.
fn of(attributes: &BTreeMap<String, Value>, name: &str) -> Map {
    match attributes.get(name) {
        Some(Value::Object(fields)) => fields.clone(),
        _ => Map::new(),
    }
}

/// Adds an attribute, unless it exists.
fn add(attributes: &mut Map, name: &str, text: &str) {
    if !attributes.contains_key(name) {
        attributes.insert(name.to_owned(), text.into());
    }
}
