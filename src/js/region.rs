//! A finished read as JavaScript sees it: `{ data, shape, stride }`, with the typed array of the data type.

use half::f16;
use js_sys::{
    Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array, Function, Int8Array, Int16Array,
    Int32Array, Object, Reflect, Uint8Array, Uint16Array, Uint32Array,
};
use wasm_bindgen::{JsCast, JsValue};

use super::value::{field, number, numbers, object};
use crate::metadata::DataType;

/// The region of these bytes, copied out of WebAssembly memory once.
pub(super) fn region(bytes: &[u8], shape: &[u64], data_type: DataType) -> Object {
    let mut stride = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        stride[axis - 1] = stride[axis] * shape[axis];
    }
    object([
        ("data", typed_array(bytes, data_type)),
        ("shape", numbers(shape.iter().copied()).into()),
        ("stride", numbers(stride).into()),
    ])
}

fn typed_array(bytes: &[u8], data_type: DataType) -> JsValue {
    let data = Uint8Array::new_from_slice(bytes);
    let buffer = data.buffer();
    match data_type {
        DataType::Bool | DataType::UInt8 => data.into(),
        DataType::Int8 => Int8Array::new(&buffer).into(),
        DataType::Int16 => Int16Array::new(&buffer).into(),
        DataType::Int32 => Int32Array::new(&buffer).into(),
        DataType::Int64 => BigInt64Array::new(&buffer).into(),
        DataType::UInt16 => Uint16Array::new(&buffer).into(),
        DataType::UInt32 => Uint32Array::new(&buffer).into(),
        DataType::UInt64 => BigUint64Array::new(&buffer).into(),
        DataType::Float16 => float16_array(&buffer, bytes),
        DataType::Float32 => Float32Array::new(&buffer).into(),
        DataType::Float64 => Float64Array::new(&buffer).into(),
    }
}

/// `Float16Array` where the engine has it, else the same values as a `Float32Array`.
fn float16_array(buffer: &JsValue, bytes: &[u8]) -> JsValue {
    let constructor = field(&js_sys::global(), "Float16Array").dyn_into::<Function>();
    if let Ok(array) = constructor.and_then(|class| Reflect::construct(&class, &Array::of1(buffer))) {
        return array;
    }
    let widened: Vec<f32> = halves(bytes).map(f32::from).collect();
    Float32Array::new_from_slice(&widened).into()
}

fn halves(bytes: &[u8]) -> impl Iterator<Item = f16> {
    bytes.as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes))
}

/// One item as a JavaScript value: a boolean, a number, or a bigint for 64-bit integers.
pub(super) fn scalar(bytes: &[u8], data_type: DataType) -> JsValue {
    if data_type == DataType::Bool {
        return JsValue::from(bytes.iter().any(|&byte| byte != 0));
    }
    if data_type == DataType::Float16 {
        return halves(bytes).next().map(f64::from).into();
    }
    field(&typed_array(bytes, data_type), "0")
}

/// The declared or clipped sizes of an axis' chunks as numbers.
pub(super) fn sizes(edges: impl Iterator<Item = u64>) -> Array {
    edges.map(|edge| JsValue::from(number(edge))).collect()
}
