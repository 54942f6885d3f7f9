//! Background work that stops when its handle is dropped.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use wasm_bindgen_futures::spawn_local;

/// The work until it is done or stopped, and its waker.
#[derive(Default)]
struct TaskState {
    work: Option<Pin<Box<dyn Future<Output = ()>>>>,
    waker: Option<Waker>,
}

/// Handle to background work; dropping it stops the work.
pub(crate) struct Background(Rc<RefCell<TaskState>>);

impl Background {
    /// Starts work.
    pub(crate) fn start(work: impl Future<Output = ()> + 'static) -> Self {
        let state = Rc::new(RefCell::new(TaskState { work: Some(Box::pin(work)), waker: None }));
        let running = Rc::clone(&state);
        spawn_local(poll_fn(move |context| {
            // The work is taken out while it runs, because it may drop this handle.
            let Some(mut work) = running.borrow_mut().work.take() else { return Poll::Ready(()) };
            running.borrow_mut().waker = Some(context.waker().clone());
            let polled = work.as_mut().poll(context);
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
        let TaskState { work, waker } = std::mem::take(&mut *self.0.borrow_mut());
        drop(work);
        // Wakes the task that polls, so that it ends.
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
