//! The progress of a read, reported to its listener.

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::read::Plan;

#[wasm_bindgen(raw_module = "../bridge/listeners.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = progress)]
    fn report_progress(listener: &Function, chunks: f64, total: f64, bytes: f64) -> JsResult<()>;
}

/// Progress of a read: chunks and stored bytes so far.
pub(crate) struct Progress<'a> {
    chunks: u64,
    total: u64,
    bytes: u64,
    listener: Option<&'a Function>,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(plan: &Plan<'_>, listener: Option<&'a Function>) -> Self {
        Self { chunks: 0, total: plan.chunks(), bytes: 0, listener }
    }

    /// Counts chunks and bytes, and calls the listener; an exception of the listener ends the read.
    pub(crate) fn add(&mut self, chunks: u64, bytes: u64) -> JsResult<()> {
        self.chunks += chunks;
        self.bytes += bytes;
        let Some(listener) = self.listener else { return Ok(()) };
        report_progress(listener, number(self.chunks), number(self.total), number(self.bytes))
    }
}
