//! Chunk grids in metadata: `regular` and `rectilinear` are both read as axes of runs.
//!
//! Run lengths are never expanded. Specs:
//! <https://zarr-specs.readthedocs.io/en/latest/v3/chunk-grids/regular-grid/index.html> and
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/chunk-grids/rectilinear>

use super::chunk_axis::{aligned_axis, encoded_axis, listed_axis, rectilinear_axis, regular_axis, v2_axis};
use super::chunk_keys::ChunkKeyEncoding;
use crate::error::{Error, Gather, Result};
use crate::grid::{Axis, ChunkGrid};
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;
use crate::metadata::proposal::{Proposal, Proposed};
use crate::parts::{Grids, Loaded, later};

/// Registered names of the supported chunk grids; `rectangular`, ZEP 3's draft of `rectilinear`, is read but was never
/// registered.
pub const CHUNK_GRIDS: [&str; 2] = ["regular", "rectilinear"];

/// Name of a private grid whose chunks begin at multiples of their edges while the array begins at any `origin`; the
/// virtual store of cfdb files makes such metadata.
///
/// ```json
/// { "name": "cfdb", "configuration": { "chunk_shape": [16, 20], "origin": [-24, 0] } }
/// ```
pub(crate) const ALIGNED: &str = "cfdb";

/// The `chunk_grid` field, parsed.
#[derive(Debug)]
pub(crate) struct ChunkGridField {
    pub(crate) grid: ChunkGrid,
    /// Chunk key encoding, if the grid declares it, as in drafts of Zarr v3.
    pub(crate) keys: Option<ChunkKeyEncoding>,
    /// Proposed extensions that the field uses.
    pub(crate) proposals: Vec<Proposed>,
}

/// Reads the `chunk_grid` field for an array of this shape.
pub(crate) fn parse(json: Json<'_>, shape: &[u64]) -> Result<ChunkGridField> {
    if json.field("type").is_some() {
        return draft(Loaded::get()?, json, shape);
    }
    let extension = Extension::parse(json)?;
    let settings = extension.settings();
    let mut proposals = Vec::new();
    let grid = match extension.name.as_str() {
        "regular" => {
            settings.only_fields(&["chunk_shape"])?;
            axes(settings.required("chunk_shape")?, shape, regular_axis)?
        }
        "rectilinear" => {
            let (grid, proposed) = rectilinear(Loaded::get()?, &settings, shape)?;
            proposals.extend(proposed);
            grid
        }
        "rectangular" | ALIGNED => unregistered(Loaded::get()?, &extension.name, &settings, shape)?,
        _ => return Err(extension.unsupported("chunk grid", &CHUNK_GRIDS)),
    };
    Ok(ChunkGridField { grid, keys: None, proposals })
}

/// A rectilinear grid, and the proposal that it uses.
#[later]
fn rectilinear(
    _: Loaded<Grids>,
    settings: &Json<'_>,
    shape: &[u64],
) -> Result<(ChunkGrid, Option<Proposed>)> {
    let kind = settings.required("kind")?;
    if kind.string()? != "inline" {
        return Err(Error::Unsupported {
            feature: format!("the rectilinear chunk grid's kind {}", kind.value()),
            reason: format!("found at {}; this build reads \"inline\"", kind.pointer()),
        });
    }
    let proposal = Proposal::EncodedChunkShapes;
    settings.only_fields(&["kind", "chunk_shapes", proposal.name()])?;
    let grid = axes(settings.required("chunk_shapes")?, shape, rectilinear_axis)?;
    Ok(match settings.field(proposal.name()) {
        None => (grid, None),
        Some(field) => {
            let grid = changed(field, &grid, encoded_axis)?;
            (grid, Some(Proposed { proposal, pointer: field.pointer() }))
        }
    })
}

/// A grid by a name that was never registered.
#[later]
fn unregistered(_: Loaded<Grids>, name: &str, settings: &Json<'_>, shape: &[u64]) -> Result<ChunkGrid> {
    if name != ALIGNED {
        settings.only_fields(&["chunk_shape"])?;
        return axes(settings.required("chunk_shape")?, shape, listed_axis);
    }
    settings.only_fields(&["chunk_shape", "origin"])?;
    let grid = axes(settings.required("chunk_shape")?, shape, regular_axis)?;
    changed(settings.required("origin")?, &grid, aligned_axis)
}

/// The form of Zarr v3's drafts, which ZEP 3 uses: `{"type", "chunk_shape", "separator"}`.
#[later]
fn draft(_: Loaded<Grids>, json: Json<'_>, shape: &[u64]) -> Result<ChunkGridField> {
    json.only_fields(&["type", "chunk_shape", "separator"])?;
    let kind = json.required("type")?;
    let parse_axis = match kind.string()? {
        "regular" => regular_axis,
        "rectangular" => listed_axis,
        _ => return Err(kind.expected("\"regular\" or \"rectangular\"")),
    };
    let grid = axes(json.required("chunk_shape")?, shape, parse_axis)?;
    let keys = Some(ChunkKeyEncoding::draft(json.field("separator"))?);
    Ok(ChunkGridField { grid, keys, proposals: Vec::new() })
}

/// Reads Zarr v2's field `chunks` for an array of this shape.
pub(crate) fn parse_v2(json: Json<'_>, shape: &[u64]) -> Result<ChunkGrid> {
    axes(json, shape, v2_axis)
}

fn axes(
    json: Json<'_>,
    shape: &[u64],
    parse_axis: fn(Json<'_>, usize, u64) -> Result<Axis>,
) -> Result<ChunkGrid> {
    each_axis(json, shape, |item, axis, &extent| parse_axis(item, axis, extent))
}

/// The grid with each axis changed by the list's item for it.
fn changed(
    json: Json<'_>,
    grid: &ChunkGrid,
    change: fn(Json<'_>, usize, Axis) -> Result<Axis>,
) -> Result<ChunkGrid> {
    each_axis(json, grid.axes(), |item, axis, edges| change(item, axis, edges.clone()))
}

/// A grid from a list with an item for each axis.
fn each_axis<T>(
    json: Json<'_>,
    axes: &[T],
    parse_axis: impl Fn(Json<'_>, usize, &T) -> Result<Axis>,
) -> Result<ChunkGrid> {
    if let ([axis], Value::Number(_)) = (axes, json.value()) {
        // Some writers give one axis as a bare number.
        return Ok(ChunkGrid::new(vec![parse_axis(json, 0, axis)?]));
    }
    let items = json.items()?;
    if items.len() != axes.len() {
        return Err(json.invalid(format!("the list has {} axes, the array has {}", items.len(), axes.len())));
    }
    let axes = items.zip(axes).enumerate().map(|(nth, (item, axis))| parse_axis(item, nth, axis));
    Ok(ChunkGrid::new(axes.gathered()?))
}
