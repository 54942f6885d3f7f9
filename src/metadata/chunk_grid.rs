//! Chunk grids in metadata, `regular` and `rectilinear`, both read into the same axes.
//!
//! Run lengths are never expanded. Specs:
//! <https://zarr-specs.readthedocs.io/en/latest/v3/chunk-grids/regular-grid/index.html> and
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/chunk-grids/rectilinear>

use serde_json::Value;

use super::document::Json;
use super::extension::Extension;
use crate::error::{Error, Result};
use crate::grid::{Axis, ChunkGrid};

/// The registered names of the chunk grids that are read.
pub const CHUNK_GRIDS: [&str; 2] = ["regular", "rectilinear"];

/// Reads the `chunk_grid` field for an array of this shape.
pub(super) fn parse(json: Json<'_>, shape: &[u64]) -> Result<ChunkGrid> {
    let extension = Extension::parse(json)?;
    let settings = extension.settings();
    match extension.name.as_str() {
        "regular" => {
            settings.only_fields(&["chunk_shape"])?;
            axes(settings.required("chunk_shape")?, shape, regular_axis)
        }
        "rectilinear" => {
            let kind = settings.required("kind")?;
            if kind.string()? != "inline" {
                return Err(Error::Unsupported {
                    feature: format!("the rectilinear chunk grid's kind {}", kind.value()),
                    reason: format!("met at {}; this build reads \"inline\"", kind.pointer()),
                });
            }
            settings.only_fields(&["kind", "chunk_shapes"])?;
            axes(settings.required("chunk_shapes")?, shape, rectilinear_axis)
        }
        _ => Err(extension.unsupported("chunk grid", &CHUNK_GRIDS)),
    }
}

/// Reads Zarr v2's field `chunks` for an array of this shape.
pub(super) fn parse_v2(json: Json<'_>, shape: &[u64]) -> Result<ChunkGrid> {
    axes(json, shape, v2_axis)
}

fn axes(
    json: Json<'_>,
    shape: &[u64],
    parse_axis: fn(Json<'_>, usize, u64) -> Result<Axis>,
) -> Result<ChunkGrid> {
    let items = json.items()?;
    if items.len() != shape.len() {
        return Err(json.invalid(format!(
            "{} axes are given, the array has {} (shape {shape:?})",
            items.len(),
            shape.len()
        )));
    }
    let axes = items.zip(shape).enumerate().map(|(axis, (item, &extent))| parse_axis(item, axis, extent));
    Ok(ChunkGrid::new(axes.collect::<Result<_>>()?))
}

/// One edge, repeated until it covers the extent.
fn regular_axis(json: Json<'_>, axis: usize, extent: u64) -> Result<Axis> {
    let edge = json.value().as_u64().unwrap_or(0);
    Axis::regular(extent, edge).map_err(|_| json.expected(&format!("{EDGE} for axis {axis}")))
}

/// One edge. Zarr-python 2 wrote 0 for an axis of length 0; it reads that as 1, on any axis, and so do we.
fn v2_axis(json: Json<'_>, axis: usize, extent: u64) -> Result<Axis> {
    if json.value().as_u64() == Some(0) {
        return Axis::regular(extent, 1).map_err(|error| json.invalid(format!("axis {axis}: {error}")));
    }
    regular_axis(json, axis, extent)
}

/// A bare edge, or a list of edges and `[edge, count]` pairs.
fn rectilinear_axis(json: Json<'_>, axis: usize, extent: u64) -> Result<Axis> {
    let Value::Array(items) = json.value() else {
        if json.value().is_number() {
            return regular_axis(json, axis, extent);
        }
        return Err(
            json.expected(&format!("{EDGE} or a list of edges and [edge, count] pairs for axis {axis}"))
        );
    };
    let runs = items.iter().map(run).collect::<Option<Vec<_>>>();
    let Some(runs) = runs else {
        let bad = items.iter().position(|item| run(item).is_none()).unwrap_or(0);
        return Err(item_error(json, axis, bad, &format!("expected {EDGE} or an [edge, count] pair")));
    };
    Axis::from_edges(extent, runs).map_err(|error| match error.position() {
        Some(position) => item_error(json, axis, position, &error.to_string()),
        None => json.invalid(format!("axis {axis}: {error}")),
    })
}

const EDGE: &str = "a chunk edge (an integer from 1 to 2^53 - 1)";

/// An edge, or an `[edge, count]` pair, as (edge, count); zeros pass, the axis names them.
fn run(item: &Value) -> Option<(u64, u64)> {
    match item {
        Value::Array(pair) => match pair.as_slice() {
            [edge, count] => Some((edge.as_u64()?, count.as_u64()?)),
            _ => None,
        },
        edge => Some((edge.as_u64()?, 1)),
    }
}

fn item_error(json: Json<'_>, axis: usize, position: usize, reason: &str) -> Error {
    let got = json.value().get(position).map(Value::to_string).unwrap_or_default();
    Error::metadata(format!("{}/{position}", json.pointer()), format!("axis {axis}: {reason}; got {got}"))
}
