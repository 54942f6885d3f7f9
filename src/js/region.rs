//! A finished read as JavaScript sees it: `{ data, shape, stride }`.

use std::borrow::Cow;

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::JsValue;

use super::JsResult;
use super::form::{Fields, Form};
use super::objects::object as object_item;
use super::typed_array::{exact_numbers, ragged, values};
use super::value::{field, number, numbers, object, set};
use crate::codec::Decoded;
use crate::metadata::{DataType, Field, Kind};
use crate::read::Column;

/// The region of a plan's columns.
pub(super) fn region(
    items: &[Decoded<'_>],
    shape: &[u64],
    columns: &[Column],
    form: &Form,
) -> JsResult<Object> {
    let mut stride = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        stride[axis - 1] = stride[axis] * shape[axis];
    }
    let mut columns = items.iter().zip(columns).map(|(items, column)| {
        let exact = form.int64_as_number.then(|| exact_numbers(&items.bytes, &column.data_type)).flatten();
        exact.unwrap_or_else(|| Ok(values(items, &column.data_type)))
    });
    let data = match &form.fields {
        Fields::Several(paths) => {
            let by_field = Object::new();
            for (path, data) in paths.iter().zip(columns) {
                set(&by_field, path, &data?);
            }
            by_field.into()
        }
        Fields::All | Fields::One(_) => columns.next().unwrap_or(Ok(JsValue::UNDEFINED))?,
    };
    Ok(object([
        ("data", data),
        ("shape", numbers(shape.iter().copied()).into()),
        ("stride", numbers(stride).into()),
    ]))
}

/// The fields of a struct; nothing for another data type.
pub(super) fn fields(data_type: &DataType) -> Option<Array> {
    let Kind::Struct(list) = data_type.kind() else { return None };
    let entry = |part: &Field| -> JsValue {
        let offset = number(part.offset as u64).into();
        let inner = fields(&part.data_type).map_or(JsValue::UNDEFINED, JsValue::from);
        let (name, dtype) = (part.name.as_str().into(), part.data_type.name().into());
        object([("name", name), ("dtype", dtype), ("offset", offset), ("fields", inner)]).into()
    };
    Some(list.iter().map(entry).collect())
}

/// A fill value: a boolean, a number, a bigint for 64 bits, a pair for complex numbers, text, or bytes.
pub(super) fn fill_value(content: &[u8], data_type: &DataType) -> JsValue {
    let none = Cow::Borrowed([].as_slice());
    let item = Decoded { bytes: Cow::Borrowed(content), strides: Vec::new(), heap: none };
    match data_type.kind() {
        Kind::Bool => content.iter().any(|&byte| byte != 0).into(),
        Kind::Text => String::from_utf8_lossy(content).into_owned().into(),
        Kind::VariableBytes | Kind::Raw | Kind::Struct(_) => Uint8Array::new_from_slice(content).into(),
        Kind::Object => object_item(content),
        Kind::Ragged(part) => ragged(content, part),
        Kind::Complex(_) => {
            let parts = values(&item, data_type);
            Array::of2(&field(&parts, "0"), &field(&parts, "1")).into()
        }
        _ => field(&values(&item, data_type), "0"),
    }
}
