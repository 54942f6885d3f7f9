//! Parsing of selections and coordinates from JavaScript values.

use js_sys::{Array, ArrayBuffer, BigInt64Array, BigUint64Array, Float64Array, Object};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{Error, Gather, Result};
use crate::grid::{AxisSelection, MAX_COORDINATE};
use crate::js::convert::value::{class_tag, field, has_fields, shown};
use crate::metadata::{ArrayMetadata, float_text};

/// Parses a selection: `null`, a list with an entry for each axis, or an object with entries by dimension name.
///
/// # Errors
/// [`Error::Selection`] for a value of another form, or a dimension name that the array does not have.
pub(crate) fn selection(value: &JsValue, metadata: &ArrayMetadata) -> Result<Vec<AxisSelection>> {
    if value.is_undefined() || value.is_null() {
        return Ok(Vec::new());
    }
    if let Some(axes) = value.dyn_ref::<Array>() {
        return axes.iter().enumerate().map(|(axis, value)| axis_selection(axis, &value)).gathered();
    }
    if !has_fields(value) {
        let reason = format!(
            "expected a list with null, an integer, slice(start, stop) or a list of integers for each axis, or a plain \
             object of them by dimension name, got {}",
            shown(value)
        );
        return Err(Error::Selection { axis: None, reason });
    }
    let mut selection = vec![AxisSelection::All; metadata.shape.len()];
    for name in Object::keys(value.unchecked_ref::<Object>()).iter().filter_map(|name| name.as_string()) {
        let axis = axis_named(&name, metadata.dimension_names.as_deref()).map_err(|error| {
            if !["start", "stop", "step"].contains(&name.as_str()) {
                return error;
            }
            let reason = "a slice belongs to an axis: put it in a list, [slice(start, stop)], or in an object by \
                          dimension name";
            Error::Selection { axis: None, reason: reason.to_owned() }
        })?;
        selection[axis] = axis_selection(axis, &field(value, &name))?;
    }
    Ok(selection)
}

/// Parses an axis: its number, negative to count from the end, or a dimension name.
pub(crate) fn axis(value: &JsValue, metadata: &ArrayMetadata) -> Result<usize> {
    if let Some(name) = value.as_string() {
        return axis_named(&name, metadata.dimension_names.as_deref());
    }
    let rank = metadata.shape.len();
    let from_end = |axis: i64| {
        let from_start = if axis < 0 { axis.checked_add_unsigned(rank as u64)? } else { axis };
        usize::try_from(from_start).ok().filter(|&axis| axis < rank)
    };
    let axis = integer(value).map(from_end);
    let reason = match axis {
        Ok(Some(axis)) => return Ok(axis),
        Ok(None) => format!("there is no axis {}; the first array has {rank} axes", shown(value)),
        Err(_) => format!("expected the number of an axis or a dimension's name, got {}", shown(value)),
    };
    Err(Error::Selection { axis: None, reason })
}

/// The axis of a dimension name, which must be unique.
fn axis_named(name: &str, names: Option<&[Option<String>]>) -> Result<usize> {
    let refused = |reason: String| Err(Error::Selection { axis: None, reason });
    let Some(names) = names else {
        return refused(format!(
            "there is no dimension {name:?}: the array has no dimension names; select by a list with an entry for each \
             axis"
        ));
    };
    let mut found = (0..names.len()).filter(|&axis| names[axis].as_deref() == Some(name));
    let listed = || {
        let shown =
            names.iter().map(|name| name.as_ref().map_or("null".to_owned(), |name| format!("{name:?}")));
        shown.collect::<Vec<_>>().join(", ")
    };
    match (found.next(), found.next()) {
        (Some(axis), None) => Ok(axis),
        (None, _) => refused(format!("there is no dimension {name:?}; the names are {}", listed())),
        (Some(_), Some(_)) => refused(format!(
            "{name:?} names more than one axis; the names are {}; select by a list with an entry for each axis",
            listed()
        )),
    }
}

fn axis_selection(axis: usize, value: &JsValue) -> Result<AxisSelection> {
    if value.is_undefined() || value.is_null() {
        return Ok(AxisSelection::All);
    }
    if value.as_f64().is_some() || value.is_bigint() {
        return integer(value).map(AxisSelection::Index).map_err(|reason| Error::axis(axis, reason));
    }
    if Array::is_array(value) || ArrayBuffer::is_view(value) {
        return list(value).map_err(|reason| Error::axis(axis, reason));
    }
    let bounds = ["start", "stop", "step"].map(|name| field(value, name));
    // Objects of other kinds, such as a misspelt slice, would else select the whole axis.
    if !value.is_object() || bounds.iter().all(JsValue::is_undefined) {
        let reason = format!(
            "expected null, an integer, slice(start, stop) or a list of integers, got {}",
            shown(value)
        );
        return Err(Error::axis(axis, reason));
    }
    let [start, stop, step] = bounds.map(|bound| match bound {
        bound if bound.is_undefined() || bound.is_null() => Ok(None),
        bound => integer(&bound).map(Some).map_err(|reason| Error::axis(axis, reason)),
    });
    Ok(AxisSelection::Slice { start: start?, stop: stop?, step: step?.unwrap_or(1) })
}

/// Parses a list of integers or of booleans: an array or a typed array.
fn list(value: &JsValue) -> std::result::Result<AxisSelection, String> {
    let Some(entries) = value.dyn_ref::<Array>() else { return integers(value).map(AxisSelection::List) };
    if entries.get(0).as_bool().is_none() {
        return integers(value).map(AxisSelection::List);
    }
    let flags = entries.iter().enumerate().map(|(nth, flag)| {
        flag.as_bool()
            .ok_or_else(|| format!("entry {nth} of the list: expected a boolean, got {}", shown(&flag)))
    });
    flags.gathered().map(AxisSelection::Mask)
}

/// Parses the integers of an array or a typed array.
fn integers(value: &JsValue) -> std::result::Result<Vec<i64>, String> {
    let at = |nth: usize, reason: String| format!("entry {nth} of the list: {reason}");
    if let Some(entries) = value.dyn_ref::<Array>() {
        let integers = entries.iter().enumerate().map(|(nth, entry)| {
            if Array::is_array(&entry) || ArrayBuffer::is_view(&entry) {
                return Err(at(
                    nth,
                    "expected an integer, got a list; getPoints reads single elements".to_owned(),
                ));
            }
            integer(&entry).map_err(|reason| at(nth, reason))
        });
        return integers.gathered();
    }
    let class = ArrayBuffer::is_view(value).then(|| class_tag(value)).flatten();
    match class.as_deref() {
        Some("BigInt64Array") => return Ok(BigInt64Array::new(value).to_vec()),
        Some("BigUint64Array") => {
            let signed = BigUint64Array::new(value).to_vec().into_iter().enumerate();
            return signed
                .map(|(nth, entry)| {
                    i64::try_from(entry).map_err(|_| at(nth, format!("index {entry} is outside of the axis")))
                })
                .gathered();
        }
        None | Some("DataView") => {
            return Err(format!("expected a list of integers, got {}", shown(value)));
        }
        Some(_) => {}
    }
    // All other typed arrays convert to Float64Array exactly.
    let numbers = Float64Array::new(value).to_vec().into_iter().enumerate();
    numbers
        .map(|(nth, entry)| {
            whole(entry).ok_or_else(|| at(nth, format!("expected an integer, got {}", float_text(entry))))
        })
        .gathered()
}

/// Parses a list of points; returns their number, and the coordinates of all points one after the other.
pub(crate) fn points(value: &JsValue, rank: usize) -> Result<(usize, Vec<i64>)> {
    let refused = |reason: String| Error::Selection { axis: None, reason };
    let list = value.dyn_ref::<Array>();
    let list = list.ok_or_else(|| refused(format!("expected a list of points, got {}", shown(value))))?;
    let mut coordinates = Vec::with_capacity(rank.saturating_mul(list.length() as usize));
    for (nth, point) in list.iter().enumerate() {
        let found = integers(&point).map_err(|reason| refused(format!("point {nth}: {reason}")))?;
        if found.len() != rank {
            return Err(refused(format!(
                "point {nth} has {} coordinates, the array {rank} axes; expected one coordinate for each axis",
                found.len()
            )));
        }
        coordinates.extend(found);
    }
    Ok((list.length() as usize, coordinates))
}

/// Parses a whole number; an infinity becomes the least or greatest integer.
fn integer(value: &JsValue) -> std::result::Result<i64, String> {
    let found = match value.as_f64() {
        Some(number) => whole(number),
        None if value.is_bigint() => i64::try_from(value.clone()).ok(),
        None => None,
    };
    found.ok_or_else(|| format!("expected an integer, got {}", shown(value)))
}

#[expect(clippy::cast_possible_truncation, reason = "saturates, which is what clipping means")]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 || number.is_infinite()).then_some(number as i64)
}

/// Parses an index or chunk coordinates: a list of whole numbers from 0 up, one for each of `rank` axes.
pub(crate) fn coordinates(value: &JsValue, rank: usize) -> Result<Vec<u64>> {
    let list = value.dyn_ref::<Array>().filter(|list| list.length() as usize == rank).ok_or_else(|| {
        Error::Selection {
            axis: None,
            reason: format!("expected a list of {rank} integers, one for each axis"),
        }
    })?;
    let coordinate = |(axis, value): (usize, JsValue)| {
        let number = integer(&value).map_err(|reason| Error::axis(axis, reason))?;
        u64::try_from(number)
            .ok()
            .filter(|&number| number <= MAX_COORDINATE)
            .ok_or_else(|| Error::axis(axis, format!("expected an integer from 0 up, got {number}")))
    };
    list.iter().enumerate().map(coordinate).gathered()
}
