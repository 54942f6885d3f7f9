//! Bindings to an index in a module of virtual stores: it locates keys, and is provided with the input that it needs.

use js_sys::{Object, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Result;
use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::js::support::loading::{lost, module};
use crate::js::support::time::TimeSlice;
use crate::source::{Format, InputRequest, Resolution};

#[wasm_bindgen]
extern "C" {
    /// Exports of the module's JavaScript.
    type Module;

    /// An index in the module.
    type IndexObject;

    #[wasm_bindgen(method, catch, js_name = virtualIndex)]
    fn virtual_index(this: &Module, format: &str, options: &Object) -> JsResult<IndexObject>;

    #[wasm_bindgen(method, catch)]
    fn needs(this: &IndexObject) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn find(this: &IndexObject, key: &str) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn provide(
        this: &IndexObject,
        number: f64,
        piece: Option<&Uint8Array>,
        at: u32,
        length: u32,
    ) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn answer(this: &IndexObject, question: &str) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn anew(this: &IndexObject) -> JsResult<IndexObject>;

    #[wasm_bindgen(method)]
    fn free(this: &IndexObject);
}

/// Bytes of an input that are copied at once.
const PIECE_BYTES: u32 = 256 << 10;

/// An index, and the input that it was provided with.
pub(crate) struct IndexModule(IndexObject);

impl IndexModule {
    /// New index of a format, without input; `options` are the caller's, as a JSON object.
    pub(crate) async fn new(format: Format, options: &Object) -> JsResult<Self> {
        module::<Module>(format.module()).await?.virtual_index(format.name(), options).map(Self)
    }

    /// New index with the same options, without input.
    pub(crate) fn anew(&self) -> JsResult<Self> {
        self.0.anew().map(Self)
    }

    /// Input that the index needs before it can locate any key.
    pub(crate) fn needs(&self) -> Result<Vec<InputRequest>> {
        match answered(self.0.needs())? {
            Resolution::Needs(needs) => Ok(needs),
            Resolution::Place(_) => Ok(Vec::new()),
        }
    }

    /// Location of a key's bytes, or the input that is needed to find it.
    pub(crate) fn find(&self, key: &str) -> Result<Resolution> {
        answered(self.0.find(key))
    }

    /// Answer to a question that is not about a key, or the input that it needs.
    pub(crate) fn answer(&self, question: &str) -> Result<Resolution> {
        answered(self.0.answer(question))
    }

    /// Provides the bytes of an input, in slices; `None` where its file is missing.
    pub(crate) async fn provide(&self, need: u64, bytes: Option<&Uint8Array>) -> Result<()> {
        let (mut slice, mut at) = (TimeSlice::default(), 0_u32);
        let length = bytes.map_or(0, Uint8Array::length);
        loop {
            let end = length.min(at.saturating_add(PIECE_BYTES));
            let piece = bytes.filter(|_| at <= length).map(|bytes| bytes.subarray(at, end));
            let done = answered(self.0.provide(number(need), piece.as_ref(), at, length))?;
            if let Resolution::Place(_) = done {
                return Ok(());
            }
            // Beyond the end, the index does a step of its work on the input.
            at = if end < length { end } else { length + 1 };
            slice.take().await;
        }
    }
}

fn answered(answer: JsResult<Vec<u8>>) -> Result<Resolution> {
    answer.ok().and_then(|bytes| Resolution::unpacked(&bytes)).ok_or_else(lost)?
}

impl Drop for IndexModule {
    fn drop(&mut self) {
        self.0.free();
    }
}
