//! Time: waiting a while, and letting the page breathe.

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, MessagePort};

/// How long work goes on before others get a turn: half a frame at 60 Hz.
const WORK_MS: f64 = 8.0;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    pub(super) fn now() -> f64;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: f64) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// A timer that is cleared when nobody waits for it any more.
struct Timer(JsValue);

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.0);
    }
}

/// Waits so many milliseconds.
pub(super) async fn sleep(ms: f64) {
    let mut timer = None;
    let elapsed = Promise::new(&mut |resolve, _| timer = Some(Timer(set_timeout(&resolve, ms))));
    let _ = JsFuture::from(elapsed).await;
    drop(timer);
}

/// Waits until what was called before in this turn of the event loop has asked for what it wants.
pub(super) async fn settle() {
    for _ in 0..2 {
        let _ = JsFuture::from(Promise::resolve(&JsValue::UNDEFINED)).await;
    }
}

/// Whether work has gone on for long enough, and the end of the turn if so.
pub(super) struct Breath {
    since: f64,
}

impl Breath {
    pub(super) fn new() -> Self {
        Self { since: now() }
    }

    /// Lets events, timers and frames have their turn where the last one is a while ago.
    pub(super) async fn take(&mut self) {
        if now() - self.since < WORK_MS {
            return;
        }
        next_turn().await;
        self.since = now();
    }
}

/// The next turn of the event loop. Timers are held back for a second in hidden tabs, messages are not.
async fn next_turn() {
    let Ok(channel) = MessageChannel::new() else { return sleep(0.0).await };
    let port = OpenPort(channel.port1());
    let message = Promise::new(&mut |resolve, _| port.0.set_onmessage(Some(&resolve)));
    if channel.port2().post_message(&JsValue::NULL).is_ok() {
        let _ = JsFuture::from(message).await;
    }
}

/// A port that is closed in any case: an open one would keep Node from ending.
struct OpenPort(MessagePort);

impl Drop for OpenPort {
    fn drop(&mut self) {
        self.0.close();
    }
}
