//! Bytes that a store gives, and what is known of the answer that they came in.

use std::ops::Range;

use js_sys::Uint8Array;

use super::JsResult;
use super::retry::Again;

/// A store's answer to a request.
pub(super) struct Answer<T> {
    /// The value, or the part of it that was asked for; nothing where nothing is stored.
    pub(super) found: JsResult<Option<T>>,
    /// HTTP status, where there was one.
    pub(super) status: Option<u16>,
    /// Whether and when it may help to ask again.
    pub(super) again: Option<Again>,
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

/// A copy of bytes that a store gave; none where it has taken them away since, as nothing can be copied from those.
pub(super) fn copied(bytes: &Uint8Array) -> Vec<u8> {
    if bytes.length() == 0 { Vec::new() } else { bytes.to_vec() }
}

/// Some of the bytes, as a view; what lies outside is left out.
pub(super) fn subarray(bytes: &Uint8Array, range: Range<u64>) -> Uint8Array {
    let bound = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
    bytes.subarray(bound(range.start), bound(range.end))
}
