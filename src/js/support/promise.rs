//! Promises of work: all work goes through one door, so that what surrounds it is compiled once.

use std::future::Future;
use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

use crate::js::JsResult;

/// Promise of the result of work. It goes on whether anyone waits for it or not.
pub(crate) fn promise(work: impl Future<Output = JsResult<JsValue>> + 'static) -> Promise {
    let work: Pin<Box<dyn Future<Output = JsResult<JsValue>>>> = Box::pin(work);
    future_to_promise(work)
}
