//! Reports of requests: to the caller's listener, and in errors.

use js_sys::{Array, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::convert::value::{number, numbers};
use crate::source::http::Method;
use crate::source::{ByteRange, Request};

#[wasm_bindgen(raw_module = "./listeners.js")]
extern "C" {
    #[wasm_bindgen(js_name = report)]
    fn tell(
        on_request: &Function,
        key: &str,
        method: &str,
        range: &JsValue,
        status: Option<u16>,
        bytes: Option<f64>,
        ms: f64,
    );
}

/// Tells the caller's listener about a finished request: its status, the bytes that came, and the milliseconds that it
/// took.
pub(crate) fn report(
    on_request: &Function,
    request: &Request,
    method: Method,
    (status, bytes, ms): (Option<u16>, Option<u64>, f64),
) {
    tell(on_request, &request.key, method.name(), &range(&request.range), status, bytes.map(number), ms);
}

/// A range as JavaScript is told.
pub(crate) fn range(range: &ByteRange) -> JsValue {
    match range {
        ByteRange::All => JsValue::UNDEFINED,
        ByteRange::Span(span) | ByteRange::UpTo(span) => numbers([span.start, span.end]).into(),
        ByteRange::From(start) => Array::of1(&number(*start).into()).into(),
        ByteRange::Suffix(bytes) => Array::of1(&(-number(*bytes)).into()).into(),
    }
}

/// A range as errors show it; the start of a suffix is not known.
pub(crate) fn span(range: &ByteRange) -> Option<(u64, u64)> {
    match range {
        ByteRange::Span(span) | ByteRange::UpTo(span) => Some((span.start, span.end)),
        _ => None,
    }
}
