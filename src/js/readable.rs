//! A zarrita `Readable` as a store: any object with `get(key, { signal })`, synchronous or not, a `Map` included.
//!
//! Where it has `getRange` too, parts are asked for; else the whole value is.

use js_sys::{ArrayBuffer, Function, Map, Promise, TypeError, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use super::JsResult;
use super::report::span;
use super::store::Bytes;
use super::value::{field, message, number, object, set, shown};
use crate::error::Error;
use crate::source::{ByteRange, Request};

/// The object, and its methods.
pub(super) struct ReadableStore {
    store: JsValue,
    get: Function,
    get_range: Option<Function>,
}

impl ReadableStore {
    pub(super) fn new(store: &JsValue) -> JsResult<Self> {
        let get = field(store, "get").dyn_into::<Function>().map_err(|_| TypeError::new(misfit(store)))?;
        Ok(Self { store: store.clone(), get, get_range: field(store, "getRange").dyn_into().ok() })
    }

    /// Whether it gives parts of values.
    pub(super) fn has_ranges(&self) -> bool {
        self.get_range.is_some()
    }

    /// The bytes that a request asks for, or all of the value's, or nothing where nothing is stored.
    pub(super) async fn get(&self, request: &Request, signal: &AbortSignal) -> JsResult<Option<Bytes>> {
        let key = JsValue::from(format!("/{}", request.key));
        let options = object([("signal", signal.into())]);
        let range = match &request.range {
            ByteRange::All => None,
            // Only hosts are asked so; a store answers suffixes.
            ByteRange::From(_) => None,
            ByteRange::Span(span) | ByteRange::UpTo(span) => {
                let length = number(span.end - span.start);
                Some(object([("offset", number(span.start).into()), ("length", length.into())]))
            }
            ByteRange::Suffix(bytes) => Some(object([("suffixLength", number(*bytes).into())])),
        };
        let (called, kind): (_, fn(Uint8Array) -> Bytes) = match (&self.get_range, range) {
            (Some(get_range), Some(range)) => {
                (get_range.call3(&self.store, &key, &range, &options), Bytes::Asked)
            }
            (None, Some(_)) => (self.get.call2(&self.store, &key, &options), Bytes::Whole),
            (_, None) => (self.get.call2(&self.store, &key, &options), Bytes::Asked),
        };
        let answer = match called {
            Ok(answer) => JsFuture::from(Promise::resolve(&answer)).await,
            Err(thrown) => Err(thrown),
        };
        let value = answer.map_err(|cause| {
            let error = JsValue::from(failure(request, format!("the store failed: {}", message(&cause))));
            // The store's own error stays readable as the cause.
            set(&error, "cause", &cause);
            error
        })?;
        Ok(bytes(request, &value)?.map(kind))
    }

    /// The store as a map, if it is one and nothing else.
    pub(super) fn map(&self) -> Option<&Map> {
        self.store.dyn_ref::<Map>().filter(|map| map.constructor().name() == "Map")
    }
}

/// What a store answered with, as bytes.
pub(super) fn bytes(request: &Request, value: &JsValue) -> JsResult<Option<Uint8Array>> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let length = value.dyn_ref::<Uint8Array>().map(Uint8Array::length);
    if length.or_else(|| value.dyn_ref::<ArrayBuffer>().map(ArrayBuffer::byte_length)) == Some(0) {
        // Theirs may have been transferred, and then every call fails that is handed them.
        return Ok(Some(Uint8Array::new_with_length(0)));
    }
    if let Some(bytes) = value.dyn_ref::<Uint8Array>() {
        return Ok(Some(bytes.clone()));
    }
    if value.is_instance_of::<ArrayBuffer>() {
        return Ok(Some(Uint8Array::new(value)));
    }
    let reason = format!("the store answered with {}; expected a Uint8Array, or undefined", shown(value));
    Err(failure(request, reason).into())
}

/// What is said of an object that is no store.
fn misfit(source: &JsValue) -> &'static str {
    let has = |name| field(source, name).is_function();
    if has("getFileHandle") {
        "the source is a folder: pass directoryStore(folder), from rectilinear-zarr/stores"
    } else if has("arrayBuffer") && has("slice") {
        "the source is a file: if it is a zip, pass await zipStore(file), from rectilinear-zarr/stores"
    } else {
        "the source is neither a URL nor a store: a store has a method get(key, { signal })"
    }
}

fn failure(request: &Request, reason: String) -> Error {
    Error::Store { key: format!("/{}", request.key), status: None, range: span(&request.range), reason }
}
