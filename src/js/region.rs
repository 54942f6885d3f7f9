//! A finished read as JavaScript sees it: `{ data, shape, stride }`.

use std::borrow::Cow;

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::JsValue;

use super::objects::object as object_item;
use super::typed_array::{ragged, values};
use super::value::{field, numbers, object};
use crate::codec::Decoded;
use crate::metadata::{DataType, Kind};

/// The region of these items.
pub(super) fn region(items: &Decoded<'_>, shape: &[u64], data_type: &DataType) -> Object {
    let mut stride = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        stride[axis - 1] = stride[axis] * shape[axis];
    }
    object([
        ("data", values(items, data_type)),
        ("shape", numbers(shape.iter().copied()).into()),
        ("stride", numbers(stride).into()),
    ])
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
