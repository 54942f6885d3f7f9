//! A request in flight: it goes on by itself, and ends when nobody waits for it.
//!
//! Invariant: what it holds while it runs, a place among the requests of its source, is free as soon as the answer is
//! there, however busy those are who wait for it.

use std::future::Future;
use std::rc::Rc;

use futures_channel::oneshot;
use futures_util::future::{AbortHandle, abortable};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use super::JsResult;
use super::store::{Bytes, Store};
use crate::source::Request;

/// A request's answer, a whole value of which may have `most` bytes; dropping it before its end ends the request. `place` is dropped with the answer.
pub(super) fn flight(
    store: Rc<Store>,
    (request, most): (Request, u64),
    place: impl Sized + 'static,
) -> impl Future<Output = JsResult<Option<Bytes>>> {
    let (work, stop) = abortable(fetch(store, (request, most), place));
    let stop = StopOnDrop(stop);
    let (tell, told) = oneshot::channel();
    spawn_local(async move {
        if let Ok(answer) = work.await {
            // Nobody waits any more where this fails.
            let _ = tell.send(answer);
        }
    });
    async move {
        let answer = told.await;
        drop(stop);
        answer.unwrap_or_else(|_| Err(js_sys::Error::new("the request was lost").into()))
    }
}

async fn fetch(
    store: Rc<Store>,
    (request, most): (Request, u64),
    place: impl Sized,
) -> JsResult<Option<Bytes>> {
    let mut running = AbortOnDrop { controller: AbortController::new()?, is_finished: false };
    let signal = running.controller.signal();
    let answer = store.get(&request, most, &signal).await;
    running.is_finished = true;
    drop(place);
    answer
}

/// Ends work that nobody waits for.
struct StopOnDrop(AbortHandle);

/// Aborts a request that is dropped before its end.
struct AbortOnDrop {
    controller: AbortController,
    is_finished: bool,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if !self.is_finished {
            self.controller.abort_with_reason(&JsValue::from_str("nobody waits for it any more"));
        }
    }
}
