//! One request and its answer's body, watched by JavaScript while bytes come.
//!
//! Invariants: no more bytes are read of a body than it may have, and none are waited for longer than the caller allows;
//! a body that is not read is let go of, so that its connection is free for the next request.

use js_sys::{Function, Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{AbortSignal, Request, Response, Url};

use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::source::http::{CacheMode, RequestHead};

#[wasm_bindgen(raw_module = "./exchange.js")]
extern "C" {
    /// The head of a response as lines, for `ResponseHead::parse`; nothing where a value is no response.
    #[wasm_bindgen(catch, js_name = headOf)]
    pub(crate) fn head(answer: &JsValue) -> JsResult<Option<String>>;

    #[wasm_bindgen(js_name = Exchange)]
    type Watched;

    #[wasm_bindgen(constructor, js_class = "Exchange")]
    fn new(signal: &AbortSignal, ms: f64, origin: &str) -> Watched;

    #[wasm_bindgen(method, catch)]
    fn request(
        this: &Watched,
        url: &str,
        options: &Object,
        carries: bool,
        method: &str,
        cache: &str,
        range: Option<&str>,
        version: Option<&str>,
    ) -> JsResult<Request>;

    #[wasm_bindgen(method)]
    fn send(this: &Watched, fetch: &Function, request: &Request) -> Promise;

    #[wasm_bindgen(method)]
    fn read(this: &Watched, response: &Response, most: f64) -> Promise;

    #[wasm_bindgen(method)]
    fn leave(this: &Watched, response: &Response) -> Promise;

    #[wasm_bindgen(method)]
    fn end(this: &Watched);
}

/// A request under way.
pub(crate) struct Exchange(Watched);

impl Exchange {
    /// One that ends with the signal, or after so many milliseconds without a byte; after none where that is 0.
    pub(crate) fn new(signal: &AbortSignal, timeout: u64, origin: &str) -> Self {
        Self(Watched::new(signal, number(timeout), origin))
    }

    /// A request with the options that all requests of its store have.
    pub(crate) fn request(&self, url: &Url, options: &Object, head: &RequestHead) -> JsResult<Request> {
        let cache = match head.cache {
            CacheMode::Default => "default",
            CacheMode::Revalidate => "no-cache",
            CacheMode::Bypass => "no-store",
        };
        let (range, version) = (head.range.as_deref(), head.if_range.as_deref());
        self.0.request(&url.href(), options, head.carries_headers, head.method.name(), cache, range, version)
    }

    /// Sends a request: a promise of its answer.
    pub(crate) fn send(&self, fetch: &Function, request: &Request) -> Promise {
        self.0.send(fetch, request)
    }

    /// Reads the body of an answer: a promise of a `Uint8Array`; or of the error that says why, where it is no body that
    /// is read, as asking again would bring the same: a `RangeError` where it has more bytes than it may have, or than were
    /// announced, a `TypeError` where a stream of the caller's is not of bytes.
    pub(crate) fn read(&self, response: &Response, most: u64) -> Promise {
        self.0.read(response, number(most))
    }

    /// Lets go of a body that nobody reads.
    pub(crate) fn leave(&self, response: &Response) -> Promise {
        self.0.leave(response)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.end();
    }
}
