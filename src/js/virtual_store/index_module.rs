//! A system of the package's third module, as this one sees it: asked by key, and told what it needs.

use js_sys::{Object, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Result;
use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::js::support::modules::{lost, module};
use crate::source::{Format, InputRequest, Resolution};

#[wasm_bindgen]
extern "C" {
    /// What the module's glue exports.
    type Module;

    /// A system there.
    type Known;

    #[wasm_bindgen(method, catch)]
    fn listing(this: &Module, format: &str, options: &Object) -> JsResult<Known>;

    #[wasm_bindgen(method, catch)]
    fn needs(this: &Known) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn find(this: &Known, key: &str) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn tell(this: &Known, number: f64, bytes: Option<&Uint8Array>) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn answer(this: &Known, question: &str) -> JsResult<Vec<u8>>;

    #[wasm_bindgen(method, catch)]
    fn anew(this: &Known) -> JsResult<Known>;

    #[wasm_bindgen(method)]
    fn free(this: &Known);
}

/// A system, and what it was told.
pub(crate) struct IndexModule(Known);

impl IndexModule {
    /// A system of a format, which was told nothing yet, with the options of a caller, a JSON object.
    pub(crate) async fn new(format: Format, options: &Object) -> JsResult<Self> {
        module::<Module>("systems").await?.listing(format.name(), options).map(Self)
    }

    /// The same, to be told anew.
    pub(crate) fn anew(&self) -> JsResult<Self> {
        self.0.anew().map(Self)
    }

    /// What it has to be told before it can say of any key whether it is there.
    pub(crate) fn needs(&self) -> Result<Vec<InputRequest>> {
        match answered(self.0.needs())? {
            Resolution::Needs(needs) => Ok(needs),
            Resolution::Place(_) => Ok(Vec::new()),
        }
    }

    /// Where the bytes of a key are.
    pub(crate) fn find(&self, key: &str) -> Result<Resolution> {
        answered(self.0.find(key))
    }

    /// What it says to a question beside keys.
    pub(crate) fn answer(&self, question: &str) -> Result<Resolution> {
        answered(self.0.answer(question))
    }

    /// Tells what is at the place of a need; nothing where the file is not there.
    pub(crate) fn provide(&self, need: u64, bytes: Option<&Uint8Array>) -> Result<()> {
        answered(self.0.tell(number(need), bytes)).map(drop)
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
