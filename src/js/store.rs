//! A store: whatever answers a key with bytes, or with the word that nothing is there.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::JsResult;
use super::http::HttpStore;
use super::options::HttpOptions;
use super::readable::ReadableStore;
use super::value::{number, object};

/// Where bytes come from.
pub(super) struct Store {
    kind: Kind,
    on_request: Option<Function>,
}

enum Kind {
    Http(HttpStore),
    Readable(ReadableStore),
}

/// What a store answered.
pub(super) struct Answer {
    /// The bytes, or nothing where nothing is stored.
    pub(super) bytes: JsResult<Option<Uint8Array>>,
    /// HTTP status, where there was one.
    pub(super) status: Option<u16>,
}

#[wasm_bindgen::prelude::wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

impl Store {
    /// The store that a source is: a URL, or a zarrita `Readable`.
    pub(super) fn new(source: &JsValue, http: HttpOptions, on_request: Option<Function>) -> JsResult<Self> {
        let kind = if let Some(url) = source.as_string() {
            Kind::Http(HttpStore::new(&url, http)?)
        } else if let Some(url) = source.dyn_ref::<web_sys::Url>() {
            Kind::Http(HttpStore::new(&url.href(), http)?)
        } else {
            Kind::Readable(ReadableStore::new(source)?)
        };
        Ok(Self { kind, on_request })
    }

    /// Where a path is, as a person would name it.
    pub(super) fn describe(&self, path: &str) -> String {
        match &self.kind {
            Kind::Http(store) => store.public_url(path),
            Kind::Readable(_) => format!("/{path}"),
        }
    }

    /// The bytes under a key, or nothing where nothing is stored.
    pub(super) async fn get(&self, key: &str, signal: &AbortSignal) -> JsResult<Option<Uint8Array>> {
        let started = now();
        let answer = match &self.kind {
            Kind::Http(store) => store.get(key, signal).await,
            Kind::Readable(store) => store.get(key, signal).await,
        };
        if let Some(on_request) = &self.on_request {
            report(on_request, key, &answer, now() - started);
        }
        answer.bytes
    }
}

/// Tells the caller's listener about a finished request. What it throws is an unhandled rejection, not our failure.
fn report(on_request: &Function, key: &str, answer: &Answer, ms: f64) {
    let bytes = answer.bytes.as_ref().ok().and_then(Option::as_ref);
    let info = object([
        ("key", key.into()),
        ("status", answer.status.map_or(JsValue::UNDEFINED, JsValue::from)),
        ("bytes", bytes.map_or(JsValue::UNDEFINED, |bytes| number(bytes.length().into()).into())),
        ("ms", ms.into()),
    ]);
    if let Err(thrown) = on_request.call1(&JsValue::UNDEFINED, &info) {
        let _ = js_sys::Promise::reject(&thrown);
    }
}
