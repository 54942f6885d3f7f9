//! Waiting without a promise: for one value that is set later, and for several futures at once.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Poll, Waker};

use wasm_bindgen::JsValue;

use crate::js::JsResult;

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
