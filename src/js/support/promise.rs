//! Promises of asynchronous work. All work uses one function, so that its generic code is compiled once.

use std::future::Future;
use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

use crate::js::JsResult;

/// Starts work and returns a promise of its result. The work continues even where the promise is not awaited.
pub(crate) fn promise(work: impl Future<Output = JsResult<JsValue>> + 'static) -> Promise {
    let work: Pin<Box<dyn Future<Output = JsResult<JsValue>>>> = Box::pin(work);
    future_to_promise(work)
}
