//! Asynchronous work: its promise, waiting for values, for several futures and for the requests of others, work in the
//! background, and cancellation.
//!
//! Invariants of cancellation: an aborted call rejects with `signal.reason` at once, whatever its store does; a call
//! that ends early for any reason aborts only its own requests; the listener on the caller's signal is always removed.

use std::cell::{Cell, OnceCell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{AbortController, AbortSignal};

use crate::js::JsResult;

/// Starts work and returns a promise of its result. The work continues even where the promise is not awaited.
pub(crate) fn promise(work: impl Future<Output = JsResult<JsValue>> + 'static) -> Promise {
    let work: Pin<Box<dyn Future<Output = JsResult<JsValue>>>> = Box::pin(work);
    future_to_promise(work)
}

/// A value that is set once, for all that wait for it.
pub(crate) struct Reply<T> {
    value: RefCell<Option<T>>,
    wakers: RefCell<Vec<Waker>>,
}

impl<T> Default for Reply<T> {
    fn default() -> Self {
        Self { value: RefCell::new(None), wakers: RefCell::default() }
    }
}

impl<T: Clone> Reply<T> {
    /// Sets the value, and wakes all that wait for it.
    pub(crate) fn give(&self, value: T) {
        self.value.replace(Some(value));
        self.wakers.take().into_iter().for_each(Waker::wake);
    }

    /// Waits for the value.
    pub(crate) async fn wait(&self) -> T {
        poll_fn(|context| {
            if let Some(value) = &*self.value.borrow() {
                return Poll::Ready(value.clone());
            }
            let mut wakers = self.wakers.borrow_mut();
            wakers.retain(|waker| !waker.will_wake(context.waker()));
            wakers.push(context.waker().clone());
            Poll::Pending
        })
        .await
    }
}

/// A boxed future with a result.
pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = JsResult<T>> + 'a>>;

/// Runs futures at once; returns their results in order, or the first error.
pub(crate) async fn all<T>(mut work: Vec<Work<'_, T>>) -> JsResult<Vec<T>> {
    let mut done: Vec<Option<T>> = work.iter().map(|_| None).collect();
    poll_fn(|context| {
        let mut is_done = true;
        for (done, work) in done.iter_mut().zip(work.iter_mut()).filter(|(done, _)| done.is_none()) {
            match work.as_mut().poll(context) {
                Poll::Ready(result) => *done = Some(result?),
                Poll::Pending => is_done = false,
            }
        }
        if is_done { Poll::Ready(Ok::<(), JsValue>(())) } else { Poll::Pending }
    })
    .await?;
    Ok(done.into_iter().flatten().collect())
}

/// Runs two futures at once; returns both results.
pub(crate) async fn both<A: Future, B: Future>(one: A, other: B) -> (A::Output, B::Output) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    let mut done = (None, None);
    poll_fn(move |context| {
        if done.0.is_none()
            && let Poll::Ready(result) = one.as_mut().poll(context)
        {
            done.0 = Some(result);
        }
        if done.1.is_none()
            && let Poll::Ready(result) = other.as_mut().poll(context)
        {
            done.1 = Some(result);
        }
        match (done.0.take(), done.1.take()) {
            (Some(one), Some(other)) => Poll::Ready((one, other)),
            left => {
                done = left;
                Poll::Pending
            }
        }
    })
    .await
}

/// The work until it is done or stopped, and its waker.
#[derive(Default)]
struct TaskState {
    work: Option<Pin<Box<dyn Future<Output = ()>>>>,
    waker: Option<Waker>,
    /// The request that it has not sent yet.
    unsent: Option<Unsent>,
}

/// Handle to background work; dropping it stops the work.
pub(crate) struct Background(Rc<RefCell<TaskState>>);

impl Background {
    /// Starts work that sends a request, or hands it on to another queue, before it first waits.
    pub(crate) fn sending(work: impl Future<Output = ()> + 'static) -> Self {
        Self::started(Box::pin(work), Some(Unsent::new()))
    }

    /// Starts work.
    pub(crate) fn start(work: impl Future<Output = ()> + 'static) -> Self {
        Self::started(Box::pin(work), None)
    }

    fn started(work: Pin<Box<dyn Future<Output = ()>>>, unsent: Option<Unsent>) -> Self {
        let state = Rc::new(RefCell::new(TaskState { work: Some(work), waker: None, unsent }));
        let running = Rc::clone(&state);
        spawn_local(poll_fn(move |context| {
            // The work is taken out while it runs, because it may drop this handle.
            let Some(mut work) = running.borrow_mut().work.take() else { return Poll::Ready(()) };
            running.borrow_mut().waker = Some(context.waker().clone());
            let polled = work.as_mut().poll(context);
            let sent = running.borrow_mut().unsent.take();
            drop(sent);
            // Without a waker, the work was stopped while it ran.
            let is_stopped = running.borrow().waker.is_none();
            if polled.is_pending() && !is_stopped {
                running.borrow_mut().work = Some(work);
                return Poll::Pending;
            }
            Poll::Ready(())
        }));
        Self(state)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        let TaskState { work, waker, unsent: _ } = std::mem::take(&mut *self.0.borrow_mut());
        drop(work);
        // Wakes the task that polls, so that it ends.
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Lets all tasks run that were started or woken before: they run in that order.
pub(crate) async fn after_other_tasks() {
    let mut is_later = false;
    // A task that wakes itself costs one call to JavaScript; a promise costs ten.
    poll_fn(|context| {
        if std::mem::replace(&mut is_later, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Requests of this thread that are on their way to `fetch`.
#[derive(Default)]
struct UnsentRequests {
    count: Cell<usize>,
    /// How many times none was left.
    rounds: Cell<u64>,
    waiting: RefCell<Vec<Waker>>,
}

thread_local! {
    static UNSENT: UnsentRequests = UnsentRequests::default();
}

/// Guard of requests on their way to `fetch`, from the caller's question to the call.
pub(crate) struct Unsent(());

impl Unsent {
    pub(crate) fn new() -> Self {
        UNSENT.with(|unsent| unsent.count.set(unsent.count.get() + 1));
        Self(())
    }
}

impl Drop for Unsent {
    fn drop(&mut self) {
        UNSENT.with(|unsent| {
            unsent.count.set(unsent.count.get() - 1);
            if unsent.count.get() == 0 {
                unsent.rounds.set(unsent.rounds.get() + 1);
                unsent.waiting.take().into_iter().for_each(Waker::wake);
            }
        });
    }
}

/// Waits until the requests are sent that reads begun before have asked for, if they ask for any.
pub(crate) async fn after_requests() {
    after_other_tasks().await;
    let begun = UNSENT.with(|unsent| unsent.rounds.get());
    poll_fn(|context| {
        UNSENT.with(|unsent| {
            // Reads that go on ask for more and more, which nobody waits for.
            if unsent.count.get() == 0 || unsent.rounds.get() > begun {
                return Poll::Ready(());
            }
            unsent.waiting.borrow_mut().push(context.waker().clone());
            Poll::Pending
        })
    })
    .await;
}

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
