//! A store whose values lie in other stores, as the store and its driver see it: virtual stores stand above both.

use std::cell::RefCell;

use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::request_handle::Ticket;
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::support::waiting::Work;
use crate::read::Turn;
use crate::source::Request;

/// Values by key, wherever the bytes lie; a driver of virtual stores is one.
pub(crate) trait VirtualSource {
    /// Location of a path, or of a key, as a person would name it.
    fn describe(&self, path: &str) -> String;

    /// The bytes that a request asks for, by the queue of the host where they lie.
    fn want<'a>(
        &'a self,
        asked: (&'a Request, u64),
        turn: &'a RefCell<Turn>,
        ticket: &'a Ticket,
    ) -> Work<'a, Option<Bytes>>;

    /// Like `want`, for documents that are read when something is opened: those are never kept by the browser.
    fn get<'a>(&'a self, request: &'a Request, most: u64) -> Work<'a, Option<Bytes>>;

    /// The requests that are known to be made first for a request: none for values that stand in the index itself.
    fn requests(&self, request: &Request) -> JsResult<Vec<Request>>;

    /// A number that changes as soon as a value was found changed, or all are to be read anew.
    fn epoch(&self) -> u64;

    /// Reads the index anew, and forgets what was known of values; where that fails, it stays as it was.
    fn refresh<'a>(&'a self, signal: &'a AbortSignal) -> Work<'a, ()>;

    /// The reply of the index to a question that is not about a key.
    fn answer<'a>(&'a self, question: &'a str) -> Work<'a, JsValue>;
}
