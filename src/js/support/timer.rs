//! Timers, and turns of the event loop for the page during long work.

use std::future::poll_fn;
use std::task::Poll;

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, MessagePort};

/// Milliseconds of work before the page gets a turn. With other work of the turn, it stays within 8 ms, half a frame at
/// 60 Hz.
const WORK_MS: f64 = 4.0;

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

/// Waits until the callers of this turn of the event loop have asked for their data.
pub(crate) async fn after_microtasks() {
    let mut left = MICROTASKS;
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

/// Bytes of work between two readings of the clock: 32 KiB. Reading it takes as long as a small chunk, and the slowest
/// decoder needs milliseconds for as many bytes.
const GLANCE_BYTES: u64 = 32 << 10;

/// Least number of bytes that is counted for a step of work.
const LEAST_BYTES: u64 = 1 << 10;

/// Time slice of long work: ends the turn of the event loop once the slice is used up.
pub(crate) struct TimeSlice {
    since: f64,
    /// Bytes of work since the clock was last read.
    worked: u64,
    channel: Option<Channel>,
}

impl TimeSlice {
    pub(crate) fn new() -> Self {
        Self { since: now(), worked: 0, channel: None }
    }

    /// Ends the turn, for events, timers and frames, if the slice is used up.
    pub(crate) async fn take(&mut self) {
        self.worked = 0;
        if now() - self.since < WORK_MS {
            return;
        }
        if self.channel.is_none() {
            self.channel = Channel::new();
        }
        match &self.channel {
            Some(channel) => channel.next_turn().await,
            None => sleep(0.0).await,
        }
        self.since = now();
    }

    /// Like [`Self::take`], but reads the clock only after enough bytes of work.
    pub(crate) async fn take_after(&mut self, bytes: u64) {
        self.worked = self.worked.saturating_add(bytes.max(LEAST_BYTES));
        if self.worked >= GLANCE_BYTES {
            self.take().await;
        }
    }

    /// Starts a new slice after waiting, which is not work.
    pub(crate) fn rested(&mut self) {
        self.since = now();
    }
}

/// Message channel to the next turn of the event loop. Hidden tabs delay timers by a second, but not messages.
struct Channel {
    here: MessagePort,
    there: MessagePort,
}

impl Channel {
    fn new() -> Option<Self> {
        let channel = MessageChannel::new().ok()?;
        Some(Self { here: channel.port1(), there: channel.port2() })
    }

    async fn next_turn(&self) {
        let message = Promise::new(&mut |resolve, _| self.here.set_onmessage(Some(&resolve)));
        if self.there.post_message(&JsValue::NULL).is_ok() {
            let _ = JsFuture::from(message).await;
        }
    }
}

/// Closes the port: an open one would keep Node from exiting.
impl Drop for Channel {
    fn drop(&mut self) {
        self.here.close();
    }
}
