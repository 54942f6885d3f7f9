//! Parsing of single options from the caller's object. `undefined` and `null` count as absent.

use js_sys::{Array, Function, TypeError};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Headers, RequestCredentials};

use super::value::{field, number, shown};
use crate::error::Gather;
use crate::js::JsResult;

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
