//! Trait of virtual stores, whose values lie in other stores. It lets `Store` and its driver use them without knowing
//! them.

use std::cell::RefCell;

use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::request_handle::Ticket;
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::support::waiting::Work;
use crate::network::{Request, Turn};

/// Virtual store: values by key, whose bytes lie in other files.
pub(crate) trait VirtualSource {
    /// Address of a path or a key for messages.
    fn describe(&self, path: &str) -> String;

    /// Fetches the bytes of a request, through the queue of the host that has them.
    fn want<'a>(
        &'a self,
        asked: (&'a Request, u64),
        turn: &'a RefCell<Turn>,
        ticket: &'a Ticket,
    ) -> Work<'a, Option<Bytes>>;

    /// Like `want`, but for metadata documents, which the browser's persistent cache never holds.
    fn get<'a>(&'a self, request: &'a Request, most: u64) -> Work<'a, Option<Bytes>>;

    /// Requests that are sent first for a request; none for values that the index itself holds.
    fn requests(&self, request: &Request) -> JsResult<Vec<Request>>;

    /// Number that changes when a value is found to have changed, or when `refresh` is called.
    fn epoch(&self) -> u64;

    /// Reads the index again and forgets the versions of values; where that fails, the old index stays.
    fn refresh<'a>(&'a self, signal: &'a AbortSignal) -> Work<'a, ()>;

    /// Answer of the index to a question that is not about a key.
    fn answer<'a>(&'a self, question: &'a str) -> Work<'a, JsValue>;
}
