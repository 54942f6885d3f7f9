//! Timers, and waits for a number of microtasks.

use std::future::poll_fn;
use std::task::Poll;

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    pub(crate) fn now() -> f64;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: f64) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// A timer that is cleared when it is dropped.
pub(crate) struct Timer(JsValue);

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.0);
    }
}

/// Starts a timer; returns it and the promise that resolves at its end.
pub(crate) fn timeout(ms: f64) -> (Timer, Promise) {
    let mut timer = JsValue::UNDEFINED;
    let elapsed = Promise::new(&mut |resolve, _| timer = set_timeout(&resolve, ms));
    (Timer(timer), elapsed)
}

/// Waits a number of milliseconds.
pub(crate) async fn sleep(ms: f64) {
    let (timer, elapsed) = timeout(ms);
    let _ = JsFuture::from(elapsed).await;
    drop(timer);
}

/// Microtasks after which every caller of this turn of the event loop has asked for its data: the two of a resolved
/// promise, twice.
const MICROTASKS: u32 = 4;

/// Microtasks after which the requests of such callers are sent, by way of a virtual store too: a wait for the callers
/// at each of the two stores, and the steps from there to `fetch`.
const MICROTASKS_TO_SEND: u32 = 16;

/// Waits until the callers of this turn of the event loop have asked for their data.
pub(crate) async fn after_microtasks() {
    microtasks(MICROTASKS).await;
}

/// Waits until the requests of this turn of the event loop are sent.
pub(crate) async fn after_requests() {
    microtasks(MICROTASKS_TO_SEND).await;
}

async fn microtasks(mut left: u32) {
    // A task that wakes itself costs one call to JavaScript for each microtask; a promise costs ten.
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
