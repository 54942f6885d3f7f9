//! Cancellation: the end of one call's work, which follows the caller's signal, with an `AbortController` of its own for
//! work that takes a signal.
//!
//! Invariants: an aborted call rejects with `signal.reason` at once, whatever its store does; a call that ends early
//! for any reason aborts only its own requests; the listener on the caller's signal is always removed.

use std::cell::OnceCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};

use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal};

use crate::js::JsResult;

/// Cancellation of one call.
pub(crate) struct Cancellation {
    /// Made at the first use: most reads have no work that takes a signal, and a controller costs as much as a chunk.
    controller: Rc<OnceCell<AbortController>>,
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
    /// Follows the caller's signal, if there is one.
    pub(crate) fn new(signal: Option<AbortSignal>) -> JsResult<Self> {
        let controller = Rc::default();
        let follows = signal.map(|signal| Followed::new(signal, &controller)).transpose()?;
        Ok(Self { controller, follows, finished: false })
    }

    /// The signal for requests made on behalf of this call.
    pub(crate) fn signal(&self) -> JsResult<AbortSignal> {
        if let Some(made) = self.controller.get() {
            return Ok(made.signal());
        }
        let made = AbortController::new()?;
        if let Some(reason) = self.reason() {
            made.abort_with_reason(&reason);
        }
        Ok(self.controller.get_or_init(|| made).signal())
    }

    /// Runs the call's work to its end, or to the caller's abort if that is earlier.
    pub(crate) async fn run<T>(mut self, work: impl Future<Output = JsResult<T>>) -> JsResult<T> {
        let mut work = pin!(work);
        let mut aborted = self.follows.as_ref().map(|followed| JsFuture::from(followed.aborted.clone()));
        let result = match self.reason() {
            Some(reason) => Err(reason),
            None => {
                poll_fn(|context| {
                    let result = work.as_mut().poll(context);
                    match self.reason_at(result.is_ready(), aborted.as_mut(), context) {
                        Some(reason) => Poll::Ready(Err(reason)),
                        None => result,
                    }
                })
                .await
            }
        };
        self.finished = result.is_ok();
        result
    }

    /// The caller's reason, if the caller has aborted the call.
    fn reason(&self) -> Option<JsValue> {
        self.follows
            .as_ref()
            .filter(|followed| followed.signal.aborted())
            .map(|followed| followed.signal.reason())
    }

    /// The caller's reason once work was polled: it replaces the result, or the error, of work that ends at the abort.
    fn reason_at(
        &self,
        is_ready: bool,
        aborted: Option<&mut JsFuture>,
        context: &mut Context<'_>,
    ) -> Option<JsValue> {
        if is_ready {
            return self.reason();
        }
        match Pin::new(aborted?).poll(context) {
            Poll::Ready(reason) => Some(reason.unwrap_or_else(|reason| reason)),
            Poll::Pending => None,
        }
    }
}

impl Followed {
    /// Passes an abort of the signal on to the controller.
    fn new(signal: AbortSignal, controller: &Rc<OnceCell<AbortController>>) -> JsResult<Self> {
        let (mut settle, mut reject) = (None, None);
        let aborted = Promise::new(&mut |resolving, rejecting| {
            settle = Some(resolving);
            reject = Some(rejecting);
        });
        let (controller, source) = (Rc::clone(controller), signal.clone());
        let listener = Closure::new(move || {
            if let Some(made) = controller.get() {
                made.abort_with_reason(&source.reason());
            }
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
        if let Some(made) = self.controller.get().filter(|_| !self.finished) {
            made.abort();
        }
    }
}
