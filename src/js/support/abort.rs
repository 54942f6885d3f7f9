//! Cancellation: one `AbortController` for the requests of one call, which follows the caller's signal.
//!
//! Invariants: an aborted call rejects with `signal.reason` at once, whatever its store does; a call that ends early
//! for any reason aborts only its own requests; the listener on the caller's signal is always removed.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal};

use crate::js::JsResult;

/// Cancellation of one call.
pub(crate) struct Cancellation {
    controller: AbortController,
    follows: Option<Followed>,
    finished: bool,
}

/// The caller's signal while we listen to it.
struct Followed {
    signal: AbortSignal,
    listener: Closure<dyn FnMut()>,
    /// Rejects with the signal's reason.
    aborted: Promise,
    /// Resolves the promise at the end: memory that waits for a pending promise is never freed.
    settle: Option<Function>,
}

impl Cancellation {
    /// Makes a controller that follows the caller's signal, if there is one.
    pub(crate) fn new(signal: Option<AbortSignal>) -> JsResult<Self> {
        let controller = AbortController::new()?;
        let follows = signal.map(|signal| Followed::new(signal, &controller)).transpose()?;
        Ok(Self { controller, follows, finished: false })
    }

    /// The signal for requests made on behalf of this call.
    pub(crate) fn signal(&self) -> AbortSignal {
        self.controller.signal()
    }

    /// Runs the call's work to its end, or to the caller's abort if that is earlier.
    pub(crate) async fn run<T>(mut self, work: impl Future<Output = JsResult<T>>) -> JsResult<T> {
        let result = match &self.follows {
            None => work.await,
            Some(Followed { signal, .. }) if signal.aborted() => Err(signal.reason()),
            Some(Followed { signal, aborted, .. }) => {
                let (mut work, mut aborted) = (pin!(work), JsFuture::from(aborted.clone()));
                poll_fn(|context| match work.as_mut().poll(context) {
                    // Work that ends at the abort, with a result or its own error: the caller's reason replaces it.
                    Poll::Ready(_) if signal.aborted() => Poll::Ready(Err(signal.reason())),
                    Poll::Ready(result) => Poll::Ready(result),
                    Poll::Pending => Pin::new(&mut aborted)
                        .poll(context)
                        .map(|reason| Err(reason.unwrap_or_else(|reason| reason))),
                })
                .await
            }
        };
        self.finished = result.is_ok();
        result
    }
}

impl Followed {
    /// Passes an abort of the signal on to the controller.
    fn new(signal: AbortSignal, controller: &AbortController) -> JsResult<Self> {
        let (mut settle, mut reject) = (None, None);
        let aborted = Promise::new(&mut |resolving, rejecting| {
            settle = Some(resolving);
            reject = Some(rejecting);
        });
        let (controller, source) = (controller.clone(), signal.clone());
        let listener = Closure::new(move || {
            controller.abort_with_reason(&source.reason());
            if let Some(reject) = &reject {
                let _ = reject.call1(&JsValue::UNDEFINED, &source.reason());
            }
        });
        signal.add_event_listener_with_callback("abort", callback(&listener))?;
        Ok(Self { signal, listener, aborted, settle })
    }
}

fn callback(listener: &Closure<dyn FnMut()>) -> &Function {
    listener.as_ref().unchecked_ref()
}

impl Drop for Cancellation {
    fn drop(&mut self) {
        if let Some(Followed { signal, listener, settle, .. }) = &self.follows {
            if let Some(settle) = settle {
                let _ = settle.call0(&JsValue::UNDEFINED);
            }
            let _ = signal.remove_event_listener_with_callback("abort", callback(listener));
        }
        if !self.finished {
            self.controller.abort();
        }
    }
}
