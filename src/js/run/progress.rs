//! The progress of a read, as its listener is told.

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::read::Plan;

#[wasm_bindgen(raw_module = "./listeners.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = progress)]
    fn tell(listener: &Function, chunks: f64, total: f64, bytes: f64) -> JsResult<()>;
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

    /// Counts, and tells the listener; what it throws ends the read.
    pub(crate) fn add(&mut self, chunks: u64, bytes: u64) -> JsResult<()> {
        self.chunks += chunks;
        self.bytes += bytes;
        let Some(listener) = self.listener else { return Ok(()) };
        tell(listener, number(self.chunks), number(self.total), number(self.bytes))
    }
}
