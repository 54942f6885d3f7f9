//! Plain values: fields, lists, objects, JSON, and single options of a caller's object, of which `undefined` and `null`
//! count as absent.

use js_sys::{Array, BigInt, Function, Object, Reflect, Symbol, TypeError};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Headers, RequestCredentials};

use crate::error::Gather;
use crate::js::JsResult;
use crate::metadata::{JsonNumber, Value, bare_number};

/// An integer that the grid keeps within 2^53, as a number.
#[expect(clippy::cast_precision_loss, reason = "coordinates are at most 2^53 - 1")]
pub(crate) fn number(value: u64) -> f64 {
    value as f64
}

/// A list of numbers.
pub(crate) fn numbers(values: impl IntoIterator<Item = u64>) -> Array {
    values.into_iter().map(|value| JsValue::from(number(value))).collect()
}

/// A list of names, with null for an axis without a name.
pub(crate) fn names(names: &[Option<String>]) -> Array {
    names.iter().map(|name| name.as_deref().map_or(JsValue::NULL, JsValue::from)).collect()
}

/// A plain object with these fields; fields that are `undefined` are omitted.
pub(crate) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        if !value.is_undefined() {
            set(&object, name, &value);
        }
    }
    object
}

/// Sets a field of an object that was made here.
pub(crate) fn set(object: &JsValue, name: &str, value: &JsValue) {
    // Cannot fail: the object is extensible.
    let _ = Reflect::set(object, &name.into(), value);
}

/// A field of any value; `undefined` where it is missing or the value is not an object.
///
/// `Reflect.get` throws for anything but an object, and is not called there: for every call that throws, wasm-bindgen
/// takes a slot in the table of JavaScript values for the missing result, and never frees it.
pub(crate) fn field(value: &JsValue, name: &str) -> JsValue {
    if value.is_object() || value.is_function() {
        Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED)
    } else {
        JsValue::UNDEFINED
    }
}

/// Name of an object's built-in class, such as `Uint8Array`, in whatever realm it was made; `None` for other values.
///
/// An object of a frame, or of a test environment, is no instance of this realm's class of the same name.
pub(crate) fn class_tag(value: &JsValue) -> Option<String> {
    if !value.is_object() {
        return None;
    }
    Reflect::get(value, &Symbol::to_string_tag()).ok()?.as_string()
}

#[wasm_bindgen(raw_module = "../common/options.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = hasFields)]
    fn holds_fields(value: &JsValue) -> JsResult<bool>;
}

/// Whether an object holds fields by name, which a `Map`, a `Set`, a date or a list of another language does not.
pub(crate) fn has_fields(value: &JsValue) -> bool {
    // A proxy that throws has none.
    holds_fields(value).unwrap_or(false)
}

/// Text of a value for an error message.
pub(crate) fn shown(value: &JsValue) -> String {
    let text = format!("{value:?}");
    text.strip_prefix("JsValue(").and_then(|text| text.strip_suffix(')')).map(str::to_owned).unwrap_or(text)
}

/// Message of an error, or text of another thrown value.
pub(crate) fn message(thrown: &JsValue) -> String {
    field(thrown, "message").as_string().unwrap_or_else(|| shown(thrown))
}

/// Converts a document or an item: JSON as `JSON.parse` does, but integers beyond 2^53 to bigints, which have all of their
/// digits, and the bare NaN and infinities that Python writes to numbers.
pub(crate) fn json(value: &Value) -> JsValue {
    converted(value, |_| ())
}

/// Converts a document that several callers are given: objects and lists are frozen.
pub(crate) fn frozen(value: &Value) -> JsValue {
    let freeze = |made: &Object| {
        Object::freeze(made);
    };
    converted(value, freeze)
}

/// A number, or the bigint of an integer that numbers round.
fn exact(number: &JsonNumber) -> JsValue {
    let digits = number.large_integer().and_then(|digits| BigInt::new(&digits.into()).ok());
    digits.map_or_else(|| number.as_f64().into(), Into::into)
}

/// Converts JSON; each object and list is `finished` when it has its members.
fn converted(value: &Value, finished: fn(&Object)) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        Value::Bool(value) => (*value).into(),
        Value::Number(value) => exact(value),
        Value::String(text) => bare_number(value).map_or_else(|| text.as_str().into(), Into::into),
        Value::Array(items) => {
            let list: Array = items.iter().map(|item| converted(item, finished)).collect();
            finished(&list);
            list.into()
        }
        Value::Object(fields) => {
            // Fields that are set one by one take many times as long in an object of a million, and setting `__proto__`
            // would set the prototype. This cannot fail: each entry is a pair.
            let entry = |(name, value): (&String, &Value)| {
                Array::of2(&name.as_str().into(), &converted(value, finished))
            };
            let entries: Array = fields.iter().map(entry).collect();
            let object = Object::from_entries(&entries).unwrap_or_default();
            finished(&object);
            object.into()
        }
    }
}

/// Value of an option; `None` where it is absent.
pub(crate) fn given(options: &JsValue, name: &str) -> Option<JsValue> {
    let value = field(options, name);
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

/// Parses an option that is a string.
pub(crate) fn text(options: &JsValue, name: &str) -> JsResult<Option<String>> {
    let Some(value) = given(options, name) else { return Ok(None) };
    value.as_string().map(Some).ok_or_else(|| wrong(name, "a string", &value))
}

/// Parses an option that is a list; `entry` returns `None` for a wrong entry.
pub(crate) fn list<T>(
    options: &JsValue,
    name: &str,
    entry: impl Fn(&JsValue) -> Option<T>,
) -> JsResult<Option<Vec<T>>> {
    let Some(value) = given(options, name) else { return Ok(None) };
    let entries = value.dyn_ref::<Array>().and_then(|list| list.iter().map(|value| entry(&value)).gathered());
    entries.map(Some).ok_or_else(|| wrong(name, "a list of valid entries", &value))
}

fn wrong(name: &str, expected: &str, value: &JsValue) -> JsValue {
    TypeError::new(&format!("the option {name} must be {expected}, not {}", shown(value))).into()
}

/// Parses an option that is a number of at least `least`; `Infinity` is allowed.
pub(crate) fn amount(options: &JsValue, name: &str, least: u64) -> JsResult<Option<u64>> {
    let Some(value) = given(options, name) else { return Ok(None) };
    match value.as_f64().filter(|found| *found >= number(least)) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates, as it should"
        )]
        Some(number) => Ok(Some(number as u64)),
        None => Err(wrong(name, &format!("a number of at least {least}"), &value)),
    }
}

/// Parses an option that is a number of bytes in memory.
pub(crate) fn bytes(options: &JsValue, name: &str) -> JsResult<Option<usize>> {
    let amount = amount(options, name, 0)?;
    Ok(amount.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)))
}

/// Parses an option that is true or false.
pub(crate) fn flag(options: &JsValue, name: &str) -> JsResult<Option<bool>> {
    let Some(value) = given(options, name) else { return Ok(None) };
    value.as_bool().map(Some).ok_or_else(|| wrong(name, "true or false", &value))
}

pub(crate) fn signal(options: &JsValue) -> JsResult<Option<AbortSignal>> {
    let Some(signal) = given(options, "signal") else { return Ok(None) };
    signal.dyn_into().map(Some).map_err(|value| wrong("signal", "an AbortSignal", &value))
}

pub(crate) fn function(options: &JsValue, name: &str) -> JsResult<Option<Function>> {
    let Some(function) = given(options, name) else { return Ok(None) };
    function.dyn_into().map(Some).map_err(|value| wrong(name, "a function", &value))
}

pub(crate) fn headers(init: &JsValue) -> JsResult<Headers> {
    if init.is_undefined() || init.is_null() {
        Headers::new()
    } else {
        Headers::new_with_str_sequence_sequence(init)
    }
}

pub(crate) fn credentials(value: &JsValue) -> JsResult<Option<RequestCredentials>> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let known = RequestCredentials::from_js_value(value);
    known.map(Some).ok_or_else(|| wrong("credentials", "\"omit\", \"same-origin\" or \"include\"", value))
}
