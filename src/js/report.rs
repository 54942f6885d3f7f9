//! What is told of requests: to the caller's listener, and in errors.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsValue;

use super::store::{Answer, Bytes};
use super::value::{number, numbers, object};
use crate::source::{ByteRange, Request};

/// What has a number of bytes to report.
pub(super) trait Length {
    /// How it is asked for.
    const METHOD: &'static str;

    /// Bytes that came, if any were asked for.
    fn received(&self) -> Option<u32>;
}

impl Length for Bytes {
    const METHOD: &'static str = "GET";

    fn received(&self) -> Option<u32> {
        let (Self::Asked(bytes) | Self::Whole(bytes)) = self;
        Some(bytes.length())
    }
}

/// Tells the caller's listener about a finished request. What it throws is an unhandled rejection, not our failure.
pub(super) fn report<T: Length>(on_request: &Function, request: &Request, answer: &Answer<T>, ms: f64) {
    let length = answer.found.as_ref().ok().and_then(Option::as_ref).and_then(Length::received);
    let info = object([
        ("key", request.key.as_str().into()),
        ("method", T::METHOD.into()),
        ("range", range(&request.range)),
        ("status", answer.status.map_or(JsValue::UNDEFINED, JsValue::from)),
        ("bytes", length.map_or(JsValue::UNDEFINED, |length| number(length.into()).into())),
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
