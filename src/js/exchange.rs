//! One request and its answer's body, watched by JavaScript while bytes come.
//!
//! Invariants: no more bytes are read of a body than it may have, and none are waited for longer than the caller allows;
//! a body that is not read is let go of, so that its connection is free for the next request.

use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Request, Response};

use super::JsResult;
use super::answer::{announced, header};
use super::value::{field, number};

/// The longest body that is read to its end for nothing, 64 KiB; of a longer one the connection is given up. As much is
/// reserved for a body whose length is not announced.
const SHORT: u64 = 64 << 10;

#[wasm_bindgen(raw_module = "./exchange.js")]
extern "C" {
    #[wasm_bindgen(js_name = Exchange)]
    type Watched;

    #[wasm_bindgen(constructor, js_class = "Exchange")]
    fn new(signal: &AbortSignal, ms: f64, origin: &str) -> Watched;

    #[wasm_bindgen(method, getter)]
    fn signal(this: &Watched) -> AbortSignal;

    #[wasm_bindgen(method)]
    fn send(this: &Watched, fetch: &Function, request: &Request) -> Promise;

    #[wasm_bindgen(method)]
    fn read(this: &Watched, response: &Response, most: f64, expected: f64) -> Promise;

    #[wasm_bindgen(method)]
    fn leave(this: &Watched, response: &Response, is_short: bool) -> Promise;

    #[wasm_bindgen(method)]
    fn end(this: &Watched);
}

/// A request under way.
pub(super) struct Exchange(Watched);

impl Exchange {
    /// One that ends with the signal, or after so many milliseconds without a byte; after none where that is 0.
    pub(super) fn new(signal: &AbortSignal, timeout: u64, origin: &str) -> Self {
        Self(Watched::new(signal, number(timeout), origin))
    }

    /// The signal to send the request with.
    pub(super) fn signal(&self) -> AbortSignal {
        self.0.signal()
    }

    /// The answer to a request.
    pub(super) async fn send(&self, fetch: &Function, request: &Request) -> JsResult<JsValue> {
        JsFuture::from(self.0.send(fetch, request)).await
    }

    /// The body of an answer; nothing where it has more bytes than it may have, or than were announced.
    pub(super) async fn read(&self, response: &Response, most: u64) -> JsResult<Option<Uint8Array>> {
        let length = announced(response);
        if length.is_some_and(|length| length > most) {
            self.leave(response).await;
            return Ok(None);
        }
        // The length of an encoded body is announced, and that it is encoded is hidden from pages of other origins.
        let is_exact = header(response, "Content-Encoding").is_none()
            && field(response, "type").as_string().is_none_or(|kind| kind != "cors");
        let most = length.filter(|_| is_exact).unwrap_or(most);
        let body = self.0.read(response, number(most), number(length.unwrap_or(SHORT)));
        Ok(JsFuture::from(body).await?.dyn_into().ok())
    }

    /// Lets go of a body that nobody reads.
    pub(super) async fn leave(&self, response: &Response) {
        let is_short = announced(response).is_some_and(|length| length <= SHORT);
        let _ = JsFuture::from(self.0.leave(response, is_short)).await;
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.end();
    }
}
