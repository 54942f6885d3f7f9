//! One HTTP request and its response, watched by JavaScript while bytes arrive.
//!
//! Invariants: a body is read up to its bound; a request that receives no bytes for the timeout fails; a body that is
//! not read is cancelled, so that its connection is free for the next request.

use js_sys::{Function, Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{AbortSignal, Request, Response, Url};

use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::network::http::{CacheMode, RequestHead};

#[wasm_bindgen(raw_module = "../fetch/response.js")]
extern "C" {
    /// The head of a response as lines, for `ResponseHead::parse`; `None` where the value is not a response.
    #[wasm_bindgen(catch, js_name = headOf)]
    pub(crate) fn head(answer: &JsValue) -> JsResult<Option<String>>;
}

#[wasm_bindgen(raw_module = "../fetch/exchange.js")]
extern "C" {
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
        is_blind: bool,
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

/// A request in progress; dropping it aborts the request.
pub(crate) struct Exchange(Watched);

impl Exchange {
    /// Makes an exchange that ends with the signal, or after `timeout` milliseconds without a byte; 0 means no timeout.
    pub(crate) fn new(signal: &AbortSignal, timeout: u64, origin: &str) -> Self {
        Self(Watched::new(signal, number(timeout), origin))
    }

    /// Makes a request with the options that all requests of its store share.
    pub(crate) fn request(&self, url: &Url, options: &Object, head: &RequestHead) -> JsResult<Request> {
        let cache = match head.cache {
            CacheMode::Default => "default",
            CacheMode::Revalidate => "no-cache",
            CacheMode::Bypass => "no-store",
        };
        let (method, range) = (head.method.name(), head.range.as_deref());
        self.0.request(&url.href(), options, head.carries_headers, method, cache, range, head.is_blind)
    }

    /// Sends a request; the promise gives its response.
    pub(crate) fn send(&self, fetch: &Function, request: &Request) -> Promise {
        self.0.send(fetch, request)
    }

    /// Reads the body of a response of at most `most` bytes; the promise gives a `Uint8Array`, or an error as its
    /// value.
    ///
    /// The promise resolves to an error where repeating the request would not help: a `RangeError` where the body has
    /// more bytes than `most` or than were announced, a `TypeError` where a stream of the caller's has other parts than
    /// bytes.
    pub(crate) fn read(&self, response: &Response, most: u64) -> Promise {
        self.0.read(response, number(most))
    }

    /// Cancels a body that is not read.
    pub(crate) fn leave(&self, response: &Response) -> Promise {
        self.0.leave(response)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.end();
    }
}
