//! Selections and coordinates as callers write them.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use super::value::{field, shown};
use crate::error::{Error, Result};
use crate::grid::{AxisSelection, MAX_COORDINATE};

/// `null`, or a list of `null`, integers and slices.
pub(super) fn selection(value: &JsValue) -> Result<Vec<AxisSelection>> {
    if value.is_undefined() || value.is_null() {
        return Ok(Vec::new());
    }
    let Some(axes) = value.dyn_ref::<Array>() else {
        let reason = "expected a list with null, an integer or slice(start, stop) for each axis".to_owned();
        return Err(Error::Selection { axis: None, reason });
    };
    axes.iter().enumerate().map(|(axis, value)| axis_selection(axis, &value)).collect()
}

fn axis_selection(axis: usize, value: &JsValue) -> Result<AxisSelection> {
    if value.is_undefined() || value.is_null() {
        return Ok(AxisSelection::All);
    }
    if value.as_f64().is_some() {
        return Ok(AxisSelection::Index(integer(axis, value)?));
    }
    if Array::is_array(value) || js_sys::ArrayBuffer::is_view(value) {
        return Err(Error::Unsupported {
            feature: "selecting by a list of indices".to_owned(),
            reason: format!("met on axis {axis}; this version takes null, integers and slices"),
        });
    }
    if !value.is_object() {
        return Err(Error::axis(
            axis,
            format!("expected null, an integer or slice(start, stop), got {value:?}"),
        ));
    }
    let bound = |name: &str| match field(value, name) {
        bound if bound.is_undefined() || bound.is_null() => Ok(None),
        bound => integer(axis, &bound).map(Some),
    };
    Ok(AxisSelection::Slice {
        start: bound("start")?,
        stop: bound("stop")?,
        step: bound("step")?.unwrap_or(1),
    })
}

/// A whole number; the infinities reach to either end.
fn integer(axis: usize, value: &JsValue) -> Result<i64> {
    match value.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "saturates, which is what clipping means")]
        Some(number) if number.fract() == 0.0 || number.is_infinite() => Ok(number as i64),
        _ => Err(Error::axis(axis, format!("expected an integer, got {}", shown(value)))),
    }
}

/// A list of whole numbers from 0 up, one for each of `rank` axes: an index, or chunk coordinates.
pub(super) fn coordinates(value: &JsValue, rank: usize) -> Result<Vec<u64>> {
    let list = value.dyn_ref::<Array>().filter(|list| list.length() as usize == rank).ok_or_else(|| {
        Error::Selection {
            axis: None,
            reason: format!("expected a list of {rank} integers, one for each axis"),
        }
    })?;
    let coordinate = |(axis, value): (usize, JsValue)| {
        let number = integer(axis, &value)?;
        u64::try_from(number)
            .ok()
            .filter(|&number| number <= MAX_COORDINATE)
            .ok_or_else(|| Error::axis(axis, format!("expected an integer from 0 up, got {number}")))
    };
    list.iter().enumerate().map(coordinate).collect()
}
