//! Bytes that a store gives, and what is known of the answer that they came in.

use js_sys::Uint8Array;

use super::JsResult;
use crate::source::http::RetryAfter;
use crate::source::{ByteRange, Request};

/// A store's answer to a request.
pub(super) struct Answer<T> {
    /// The value, or the part of it that was asked for; nothing where nothing is stored.
    pub(super) found: JsResult<Option<T>>,
    /// HTTP status, where there was one.
    pub(super) status: Option<u16>,
    /// Whether and when it may help to ask again.
    pub(super) again: Option<RetryAfter>,
    /// Length of the value, where its end was asked for and the host, which tells the length, sent another part.
    pub(super) length: Option<u64>,
}

impl<T> Answer<T> {
    /// An answer that has no HTTP status, and is not asked for again.
    pub(super) fn new(found: JsResult<Option<T>>) -> Self {
        Self { found, status: None, again: None, length: None }
    }
}

/// Bytes of a value.
#[derive(Clone)]
pub(super) enum Bytes {
    /// Those that were asked for.
    Asked(Uint8Array),
    /// All of them, although a part was asked for.
    Whole(Uint8Array),
}

/// Whether as many bytes came as were asked for.
pub(super) fn fits(request: &Request, bytes: &Uint8Array) -> bool {
    let length = u64::from(bytes.length());
    match &request.range {
        ByteRange::All | ByteRange::From(_) => true,
        ByteRange::Span(span) => span.end - span.start == length,
        ByteRange::UpTo(span) => span.end - span.start >= length,
        ByteRange::Suffix(suffix) => *suffix == length,
    }
}
