//! One request to a host, which is aborted when its future is dropped.

use js_sys::JsString;
use web_sys::AbortController;

use crate::js::JsResult;
use crate::js::stores::store::{Bytes, Store};
use crate::network::Request;

/// Guard that aborts a request when it is dropped before its end.
struct AbortOnDrop {
    controller: AbortController,
    is_finished: bool,
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if !self.is_finished {
            self.controller.abort_with_reason(&JsString::from("the request is no longer needed"));
        }
    }
}

/// Sends a request; its whole value may have at most `most` bytes.
pub(crate) async fn fetched(store: &Store, request: &Request, most: u64) -> JsResult<Option<Bytes>> {
    let mut running = AbortOnDrop { controller: AbortController::new()?, is_finished: false };
    let signal = running.controller.signal();
    let found = store.get(request, most, &signal).await;
    running.is_finished = true;
    found
}
