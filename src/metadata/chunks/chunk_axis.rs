//! One axis of a chunk grid in metadata: a repeated edge, or a list of edges and `[edge, count]` pairs.

use crate::error::{Error, Gather, Result};
use crate::grid::{Axis, AxisError, MAX_COORDINATE};
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;

/// [`MAX_COORDINATE`] as a float.
const LARGEST: f64 = 9_007_199_254_740_991.0;

const EDGE: &str = "a chunk edge (an integer from 1 to 2^53 - 1)";
const PAIRS: &str = "[edge, count] pair";

/// One edge, repeated until it covers the extent.
pub(crate) fn regular_axis(json: Json<'_>, axis: usize, extent: u64) -> Result<Axis> {
    let edge = whole(json.value()).unwrap_or(0);
    Axis::regular(extent, edge).map_err(|_| json.expected(&format!("{EDGE} for axis {axis}")))
}

/// A bare edge, or a list of edges and `[edge, count]` pairs.
pub(crate) fn rectilinear_axis(json: Json<'_>, axis: usize, extent: u64) -> Result<Axis> {
    if json.value().is_number() {
        return regular_axis(json, axis, extent);
    }
    Axis::from_edges(extent, runs(json, axis)?).map_err(|error| axis_error(json, axis, error))
}

/// A bare edge or a list of edges, the form of ZEP 3 before it had pairs.
pub(crate) fn listed_axis(json: Json<'_>, axis: usize, extent: u64) -> Result<Axis> {
    let pair = json.value().as_array().and_then(|items| items.iter().position(Value::is_array));
    match pair {
        None => rectilinear_axis(json, axis, extent),
        Some(position) => Err(item_error(
            json,
            axis,
            position,
            &format!("expected {EDGE}; this grid has no pairs, only \"rectilinear\" has"),
        )),
    }
}

/// A bare edge or a list of edges. Zarr-python 2 writes 0 for an axis of length 0; a 0 is read as 1 on any axis, as
/// zarr-python does.
pub(crate) fn v2_axis(json: Json<'_>, axis: usize, extent: u64) -> Result<Axis> {
    if json.value().as_u64() == Some(0) {
        return Axis::regular(extent, 1).map_err(|error| axis_error(json, axis, error));
    }
    if json.value().is_array() { listed_axis(json, axis, extent) } else { regular_axis(json, axis, extent) }
}

/// The origin of the array on an axis whose chunks begin at multiples of their edge.
pub(crate) fn aligned_axis(json: Json<'_>, axis: usize, edges: Axis) -> Result<Axis> {
    let origin = json.value().as_i64().filter(|origin| origin.unsigned_abs() <= MAX_COORDINATE);
    let wanted = format!("an integer from -(2^53 - 1) to 2^53 - 1 for axis {axis}");
    Ok(edges.begun_at(origin.ok_or_else(|| json.expected(&wanted))?))
}

/// The axis with the decoded lengths of its chunks, in the form of edges; a bare length applies to every chunk.
pub(crate) fn encoded_axis(json: Json<'_>, axis: usize, edges: Axis) -> Result<Axis> {
    let encoded = match json.value() {
        Value::Number(_) => {
            let encoded = whole(json.value()).filter(|edge| (1..=MAX_COORDINATE).contains(edge));
            let encoded = encoded.ok_or_else(|| json.expected(&format!("{EDGE} for axis {axis}")))?;
            edges.with_encoded_edge(encoded)
        }
        _ => edges.with_encoded(runs(json, axis)?),
    };
    encoded.map_err(|error| match json.value() {
        Value::Number(_) => json.invalid(format!("axis {axis}: {error}; got {}", json.value())),
        _ => axis_error(json, axis, error),
    })
}

/// A list of edges and `[edge, count]` pairs.
fn runs(json: Json<'_>, axis: usize) -> Result<Vec<(u64, u64)>> {
    let Value::Array(items) = json.value() else {
        return Err(json.expected(&format!("{EDGE} or a list of edges and {PAIRS}s for axis {axis}")));
    };
    items.iter().map(run).gathered().ok_or_else(|| {
        let bad = items.iter().position(|item| run(item).is_none()).unwrap_or(0);
        item_error(json, axis, bad, &format!("expected {EDGE} or an {PAIRS}"))
    })
}

/// An edge, or an `[edge, count]` pair, as (edge, count); the axis refuses zeros.
fn run(item: &Value) -> Option<(u64, u64)> {
    match item {
        Value::Array(pair) => match pair.as_slice() {
            [edge, count] => Some((whole(edge)?, whole(count)?)),
            _ => None,
        },
        edge => Some((whole(edge)?, 1)),
    }
}

/// An integer, which some writers write with a fraction of zero: `5.0`.
fn whole(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|float| float.fract() == 0.0 && (0.0..=LARGEST).contains(float));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an integer from 0 to 2^53 - 1"
    )]
    value.as_u64().or_else(|| float().map(|float| float as u64))
}

fn axis_error(json: Json<'_>, axis: usize, error: AxisError) -> Error {
    match error.position() {
        Some(position) => item_error(json, axis, position, &error.to_string()),
        None => json.invalid(format!("axis {axis}: {error}")),
    }
}

fn item_error(json: Json<'_>, axis: usize, position: usize, reason: &str) -> Error {
    let got = json
        .value()
        .as_array()
        .and_then(|items| items.get(position))
        .map(Value::to_string)
        .unwrap_or_default();
    Error::metadata(format!("{}/{position}", json.pointer()), format!("axis {axis}: {reason}; got {got}"))
}
