//! An index in the package's third module (`systems`), as this one sees it: asked by key, and provided with input.

use js_sys::{Object, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Result;
use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::js::support::modules::{lost, module};
use crate::source::{Format, InputRequest, Resolution};

#[wasm_bindgen]
extern "C" {
    /// Exports of the module's glue.
    type Module;

    /// An index there.
    type IndexObject;

    #[wasm_bindgen(method, catch, js_name = virtualIndex)]
    fn virtual_index(this: &Module, format: &str, options: &Object) -> JsResult<IndexObject>;

    #[wasm_bindgen(method, catch)]
    fn needs(this: &IndexObject) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn find(this: &IndexObject, key: &str) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn provide(this: &IndexObject, number: f64, bytes: Option<&Uint8Array>) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn answer(this: &IndexObject, question: &str) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn anew(this: &IndexObject) -> JsResult<IndexObject>;

    #[wasm_bindgen(method)]
    fn free(this: &IndexObject);
}

/// An index, and the input that it was provided with.
pub(crate) struct IndexModule(IndexObject);

impl IndexModule {
    /// An index of a format, without any input yet, with the options of a caller, a JSON object.
    pub(crate) async fn new(format: Format, options: &Object) -> JsResult<Self> {
        module::<Module>("systems").await?.virtual_index(format.name(), options).map(Self)
    }

    /// An index with the same options, without any input.
    pub(crate) fn anew(&self) -> JsResult<Self> {
        self.0.anew().map(Self)
    }

    /// Input that it needs before it can say of any key whether it is there.
    pub(crate) fn needs(&self) -> Result<Vec<InputRequest>> {
        match answered(self.0.needs())? {
            Resolution::Needs(needs) => Ok(needs),
            Resolution::Place(_) => Ok(Vec::new()),
        }
    }

    /// Location of a key's bytes, or the input that is needed to say it.
    pub(crate) fn find(&self, key: &str) -> Result<Resolution> {
        answered(self.0.find(key))
    }

    /// Its reply to a question that is not about a key.
    pub(crate) fn answer(&self, question: &str) -> Result<Resolution> {
        answered(self.0.answer(question))
    }

    /// Provides the bytes of an input; nothing where the file is not there.
    pub(crate) fn provide(&self, need: u64, bytes: Option<&Uint8Array>) -> Result<()> {
        answered(self.0.provide(number(need), bytes)).map(drop)
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
