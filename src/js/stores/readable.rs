//! Store over a zarrita `Readable`: any object with `get(key, { signal })`, synchronous or not, including a `Map`.
//!
//! Parts of values are requested if the object has `getRange`; otherwise whole values are.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use js_sys::{Function, Map, Promise, TypeError, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use super::stored_bytes::{Batch, BatchSender, ValueRequests, bytes_of};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::convert::value::{field, message, number, object, set, shown};
use crate::js::support::report::span;
use crate::network::{ByteRange, Request};

/// The function that JavaScript calls with the states of late values.
type StateListener = Closure<dyn FnMut(Vec<i32>)>;

/// A `Readable`, with its methods.
pub(crate) struct ReadableStore {
    store: JsValue,
    get: Function,
    get_range: Option<Function>,
    is_map: bool,
    /// Whether the store answered for a chunk with a promise.
    pub(crate) is_late: Cell<bool>,
    /// Whether chunks were requested in batches.
    has_answered: Cell<bool>,
    /// The store's side that sends batches, and its callback for late values.
    sender: OnceCell<(BatchSender, StateListener)>,
}

impl ReadableStore {
    pub(crate) fn new(store: &JsValue) -> JsResult<Self> {
        let get = field(store, "get").dyn_into::<Function>().map_err(|_| TypeError::new(misfit(store)))?;
        let get_range = field(store, "getRange").dyn_into().ok();
        let is_map = store.dyn_ref::<Map>().is_some_and(|map| map.constructor().name() == "Map");
        Ok(Self {
            store: store.clone(),
            get,
            get_range,
            is_map,
            is_late: Cell::new(false),
            has_answered: Cell::new(false),
            sender: OnceCell::new(),
        })
    }

    /// Whether the store gives parts of values.
    pub(crate) fn has_ranges(&self) -> bool {
        self.get_range.is_some() || self.is_map
    }

    /// Fetches the bytes of a request, or the whole value; `None` where nothing is stored.
    pub(crate) async fn get(&self, request: &Request, signal: &AbortSignal) -> JsResult<Option<Bytes>> {
        let key = JsValue::from(format!("/{}", request.key));
        let options = object([("signal", signal.into())]);
        let range = match &request.range {
            ByteRange::All => None,
            // Only HTTP stores get requests from an offset on; a `Readable` answers suffixes.
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
        let value = answer.map_err(|cause| failure_of(request, &cause, true))?;
        Ok(bytes(request, &value)?.map(kind))
    }

    /// Whether the store is a `Map`, and not of a subclass.
    pub(crate) fn is_map(&self) -> bool {
        self.is_map
    }

    /// Whether the store has answered for no chunk with a promise yet.
    pub(crate) fn answers_at_once(&self) -> bool {
        !self.is_late.get()
    }

    /// Whether the store is a `Map` or has answered for chunks, and has never answered for one with a promise.
    pub(crate) fn has_answered_at_once(&self) -> bool {
        !self.is_late.get() && (self.is_map || self.has_answered.get())
    }

    /// Sets the callback for late values and the caller's `onRequest`.
    ///
    /// The callback gets four numbers for each late value: its flight, its place in the flight, and the two of its
    /// state.
    pub(crate) fn listen(&self, on_request: Option<&Function>, answered: Box<dyn FnMut(Vec<i32>)>) {
        let answered = Closure::wrap(answered);
        let get_range = self.get_range.as_ref();
        let sender = BatchSender::new(&self.store, &self.get, get_range, &answered, on_request);
        let _ = self.sender.set((sender, answered));
    }

    /// Requests values, until `most` of them are late.
    pub(crate) fn ask(&self, asking: &ValueRequests, most: usize) -> Option<Rc<Batch>> {
        let (sender, _) = self.sender.get()?;
        self.has_answered.set(true);
        Some(asking.send(sender, most))
    }
}

impl Drop for ReadableStore {
    fn drop(&mut self) {
        if let Some((sender, _)) = self.sender.get() {
            sender.close();
        }
    }
}

/// Bytes of a store's answer; `None` where nothing is stored.
fn bytes(request: &Request, value: &JsValue) -> JsResult<Option<Uint8Array>> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    match bytes_of(value)?.dyn_into::<Uint8Array>() {
        // Empty bytes may have been transferred, and every call with such bytes fails.
        Ok(bytes) if bytes.length() == 0 => Ok(Some(Uint8Array::new_with_length(0))),
        Ok(bytes) => Ok(Some(bytes)),
        Err(_) => Err(failure_of(request, value, false)),
    }
}

/// Error for an exception of a store, or for an answer that is not bytes.
pub(crate) fn failure_of(request: &Request, value: &JsValue, is_thrown: bool) -> JsValue {
    let reason = if is_thrown {
        format!("the store failed: {}", message(value))
    } else {
        format!("the store answered with {}; expected a Uint8Array, or undefined", shown(value))
    };
    let range = span(&request.range);
    let error = Error::Store { key: format!("/{}", request.key), status: None, range, reason };
    let error = JsValue::from(error);
    if is_thrown {
        // Callers can read the store's own error as the cause.
        set(&error, "cause", value);
    }
    error
}

/// Error text for a source that is no store.
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
