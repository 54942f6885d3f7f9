//! Reports of requests: to the caller's listener, and in errors.

use js_sys::{Array, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::convert::value::{number, numbers};
use crate::network::http::Method;
use crate::network::{ByteRange, Request};

#[wasm_bindgen(raw_module = "../bridge/listeners.js")]
extern "C" {
    #[wasm_bindgen(js_name = report)]
    fn call_listener(
        on_request: &Function,
        key: &str,
        method: &str,
        range: &JsValue,
        status: Option<u16>,
        bytes: Option<f64>,
        ms: f64,
    );
}

/// What became of a request.
pub(crate) struct RequestOutcome {
    pub(crate) status: Option<u16>,
    /// Number of bytes received, if any were.
    pub(crate) bytes: Option<u64>,
    /// Duration in milliseconds.
    pub(crate) ms: f64,
}

/// Calls the caller's listener with a finished request.
pub(crate) fn report(
    on_request: &Function,
    request: &Request,
    method: Method,
    RequestOutcome { status, bytes, ms }: RequestOutcome,
) {
    call_listener(
        on_request,
        request.public_key(),
        method.name(),
        &range(&request.range),
        status,
        bytes.map(number),
        ms,
    );
}

/// A range for `onRequest` and `plan`: undefined, `[start, stop]`, `[start]`, or `[-bytes]` for a suffix.
pub(crate) fn range(range: &ByteRange) -> JsValue {
    match range {
        ByteRange::All => JsValue::UNDEFINED,
        ByteRange::Span(span) | ByteRange::UpTo(span) => numbers([span.start, span.end]).into(),
        ByteRange::From(start) => Array::of1(&number(*start).into()).into(),
        ByteRange::Suffix(bytes) => Array::of1(&(-number(*bytes)).into()).into(),
    }
}

/// A range for errors; `None` for the whole value and for open ranges, whose bounds are not known.
pub(crate) fn span(range: &ByteRange) -> Option<(u64, u64)> {
    match range {
        ByteRange::Span(span) | ByteRange::UpTo(span) => Some((span.start, span.end)),
        _ => None,
    }
}
