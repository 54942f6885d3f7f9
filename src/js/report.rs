//! What is told of requests: to the caller's listener, and in errors.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsValue;

use super::value::{number, numbers, object};
use crate::source::http::Method;
use crate::source::{ByteRange, Request};

/// Tells the caller's listener about a finished request: its status, the bytes that came, and the milliseconds that it
/// took. An error that the listener throws is an unhandled rejection, and no failure of ours.
pub(super) fn report(
    on_request: &Function,
    request: &Request,
    method: Method,
    (status, bytes, ms): (Option<u16>, Option<u64>, f64),
) {
    let method = match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
    };
    let info = object([
        ("key", request.key.as_str().into()),
        ("method", method.into()),
        ("range", range(&request.range)),
        ("status", status.map_or(JsValue::UNDEFINED, JsValue::from)),
        ("bytes", bytes.map_or(JsValue::UNDEFINED, |length| number(length).into())),
        ("ms", ms.into()),
    ]);
    if let Err(thrown) = on_request.call1(&JsValue::UNDEFINED, &info) {
        let _ = Promise::reject(&thrown);
    }
}

/// A range as JavaScript is told.
pub(super) fn range(range: &ByteRange) -> JsValue {
    match range {
        ByteRange::All => JsValue::UNDEFINED,
        ByteRange::Span(span) | ByteRange::UpTo(span) => numbers([span.start, span.end]).into(),
        ByteRange::From(start) => Array::of1(&number(*start).into()).into(),
        ByteRange::Suffix(bytes) => Array::of1(&(-number(*bytes)).into()).into(),
    }
}

/// A range as errors show it; the start of a suffix is not known.
pub(super) fn span(range: &ByteRange) -> Option<(u64, u64)> {
    match range {
        ByteRange::Span(span) | ByteRange::UpTo(span) => Some((span.start, span.end)),
        _ => None,
    }
}
