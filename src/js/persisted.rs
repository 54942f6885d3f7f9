//! Bytes kept by the browser beyond the page's life, in a named cache of the Cache API.
//!
//! Invariant: it is asked for the same range of the same address only, and nothing depends on it: where there is
//! no Cache API (Node, pages without a secure context), or no room, bytes are fetched as if it were off.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheStorage, Response};

use super::value::field;
use crate::source::ByteRange;

/// A cache by its name.
pub(super) struct Persisted(String);

impl Persisted {
    pub(super) fn new(name: String) -> Self {
        Self(name)
    }

    /// The bytes of a range of a value.
    pub(super) async fn get(&self, url: &str, range: &ByteRange) -> Option<Uint8Array> {
        let cache = self.open().await?;
        let found: Response = settled(cache.match_with_str(&address(url, range))).await?.dyn_into().ok()?;
        Some(Uint8Array::new(&settled(found.array_buffer().ok()?).await?))
    }

    /// Keeps the bytes of a range of a value.
    pub(super) async fn put(&self, url: &str, range: &ByteRange, bytes: &Uint8Array) {
        let Some(cache) = self.open().await else { return };
        let Ok(response) = Response::new_with_opt_js_u8_array(Some(bytes)) else { return };
        settled(cache.put_with_str(&address(url, range), &response)).await;
    }

    /// Forgets everything.
    pub(super) async fn clear(&self) {
        if let Some(caches) = storage() {
            settled(caches.delete(&self.0)).await;
        }
    }

    async fn open(&self) -> Option<Cache> {
        settled(storage()?.open(&self.0)).await?.dyn_into().ok()
    }
}

/// The Cache API, where there is one.
fn storage() -> Option<CacheStorage> {
    field(&js_sys::global(), "caches").dyn_into().ok()
}

/// What a promise gives, if it is kept.
async fn settled(promise: Promise) -> Option<JsValue> {
    JsFuture::from(promise).await.ok()
}

/// The address that stands for a range: caches take no partial answers, but any address.
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
