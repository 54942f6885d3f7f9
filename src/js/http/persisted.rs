//! Persistent cache of bytes, in a named cache of the browser's Cache API.
//!
//! Invariant: an entry serves only the range of the address for which it was stored.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use crate::network::ByteRange;

#[wasm_bindgen(raw_module = "../fetch/persisted.js")]
extern "C" {
    fn kept(name: &str, url: &str) -> Promise;

    fn keep(name: &str, url: &str, bytes: &Uint8Array) -> Promise;

    fn forget(name: &str) -> Promise;
}

/// A persistent cache, by its name.
pub(crate) struct Persisted(String);

impl Persisted {
    pub(crate) fn new(name: String) -> Self {
        Self(name)
    }

    /// The cached bytes of a range of a value, if there are any.
    pub(crate) async fn get(&self, url: &str, range: &ByteRange) -> Option<Uint8Array> {
        JsFuture::from(kept(&self.0, &address(url, range))).await.ok()?.dyn_into().ok()
    }

    /// Stores the bytes of a range of a value, without waiting for the end.
    pub(crate) fn put(&self, url: &str, range: &ByteRange, bytes: &Uint8Array) {
        let _ = keep(&self.0, &address(url, range), bytes);
    }

    /// Deletes the cache.
    pub(crate) async fn clear(&self) {
        let _ = JsFuture::from(forget(&self.0)).await;
    }
}

/// The address under which a range is cached. The Cache API rejects partial responses, so the range is in the query.
fn address(url: &str, range: &ByteRange) -> String {
    let part = match range {
        ByteRange::All => return url.to_owned(),
        ByteRange::Span(span) | ByteRange::UpTo(span) => format!("{}-{}", span.start, span.end),
        ByteRange::From(start) => format!("{start}-"),
        ByteRange::Suffix(bytes) => format!("-{bytes}"),
    };
    let mark = if url.contains('?') { '&' } else { '?' };
    format!("{url}{mark}rectilinear-zarr-bytes={part}")
}
