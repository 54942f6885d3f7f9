//! The result of a read as a JavaScript object: `{ data, shape, stride }`.

use std::borrow::Cow;

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::JsValue;

use crate::js::JsResult;
use crate::js::convert::items::{object as object_item, ragged, typed, values};
use crate::js::convert::value::{field, number, numbers, object, set};
use crate::js::options::read_options::{Fields, OutputOptions};
use crate::metadata::{DataType, Field, Kind};
use crate::output::{Cast, Decoded, Numeric, OutputField};

/// The data of one column of a result or of a part, as a JavaScript array.
pub(crate) fn data(items: &Decoded<'_>, column: &OutputField) -> JsResult<JsValue> {
    match &column.cast {
        Some(cast) => typed(&items.bytes, number_of(column, cast)),
        None => values(items, &column.data_type),
    }
}

/// Number type of a column's typed array. Float16 items of a texture are given as bits, in a `Uint16Array`, which every
/// engine has.
pub(crate) fn number_of(column: &OutputField, cast: &Cast) -> Numeric {
    match cast.target() {
        Numeric::Float(16) if column.row_alignment.is_some() => Numeric::UInt(16),
        number => number,
    }
}

/// The least and the greatest item, if they were computed.
pub(crate) type Range = Option<(f64, f64)>;

/// Makes the region from the data and the ranges of a plan's columns.
pub(crate) fn region(columns: Vec<(JsValue, Range)>, shape: &[u64], form: &OutputOptions) -> Object {
    let width = shape.last().copied().unwrap_or(1);
    let rows =
        form.texture.as_ref().map(|texture| (texture.bytes_per_row(width), texture.target.size() as u64));
    let mut row = rows.map_or(width, |(bytes, item)| bytes / item);
    let mut stride = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        stride[axis - 1] = stride[axis] * std::mem::replace(&mut row, shape[axis - 1]);
    }
    let texture = |value: u64| rows.map_or(JsValue::UNDEFINED, |_| number(value).into());
    let pair = |(least, greatest): (f64, f64)| JsValue::from(Array::of2(&least.into(), &greatest.into()));
    let mut columns = columns.into_iter().map(|(data, range)| (data, range.map_or(JsValue::UNDEFINED, pair)));
    let (data, range) = match &form.fields {
        Fields::Several(paths) => {
            let (data, ranges) = (Object::new(), Object::new());
            for (path, (values, range)) in paths.iter().zip(columns) {
                set(&data, path, &values);
                set(&ranges, path, &range);
            }
            (data.into(), if form.minmax { ranges.into() } else { JsValue::UNDEFINED })
        }
        Fields::All | Fields::One(_) => columns.next().unwrap_or_default(),
    };
    object([
        ("data", data),
        ("shape", numbers(shape.iter().copied()).into()),
        ("stride", numbers(stride).into()),
        ("range", range),
        ("width", texture(width)),
        ("height", texture(shape.iter().rev().skip(1).product())),
        ("bytesPerRow", texture(rows.map_or(0, |(bytes, _)| bytes))),
    ])
}

/// The fields of a struct; `None` for another data type.
pub(crate) fn fields(data_type: &DataType) -> Option<Array> {
    let Kind::Struct(list) = data_type.kind() else { return None };
    let entry = |part: &Field| -> JsValue {
        let offset = number(part.offset as u64).into();
        let element = part.data_type.element();
        let inner = fields(element).map_or(JsValue::UNDEFINED, JsValue::from);
        let shape = match part.data_type.kind() {
            Kind::Subarray { shape, .. } => numbers(shape.iter().copied()).into(),
            _ => JsValue::UNDEFINED,
        };
        let (name, dtype) = (part.name.as_str().into(), element.name().into());
        object([("name", name), ("dtype", dtype), ("offset", offset), ("shape", shape), ("fields", inner)])
            .into()
    };
    Some(list.iter().map(entry).collect())
}

/// A fill value: a boolean, a number, a bigint for 64-bit integers, a pair for complex numbers, a string, or bytes.
pub(crate) fn fill_value(content: &[u8], data_type: &DataType) -> JsResult<JsValue> {
    let none = Cow::Borrowed([].as_slice());
    let item = Decoded { bytes: Cow::Borrowed(content), strides: Vec::new(), heap: none, reversed: None };
    Ok(match data_type.kind() {
        Kind::Bool => content.iter().any(|&byte| byte != 0).into(),
        Kind::Text => String::from_utf8_lossy(content).into_owned().into(),
        Kind::VariableBytes | Kind::Raw | Kind::Struct(_) => Uint8Array::new_from_slice(content).into(),
        Kind::Object => object_item(content),
        Kind::Ragged(part) => ragged(content, part)?,
        Kind::Subarray { .. } => values(&item, data_type)?,
        Kind::Complex(_) => {
            let parts = values(&item, data_type)?;
            Array::of2(&field(&parts, "0"), &field(&parts, "1")).into()
        }
        _ => field(&values(&item, data_type)?, "0"),
    })
}
