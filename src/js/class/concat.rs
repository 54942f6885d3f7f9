//! `RectilinearArray.concat`: opened arrays, given one by one, as one that needs no metadata of its own.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::array::RectilinearArray;
use crate::js::JsResult;
use crate::js::options::selection::axis;
use crate::js::sources::array_sources::ArraySources;

/// Arrays that are to be laid end to end. It holds their sources, so they may be freed.
#[wasm_bindgen(js_name = Joining, skip_typescript)]
#[derive(Default)]
pub struct ConcatBuilder(Vec<Rc<ArraySources>>);

#[wasm_bindgen(js_class = Joining)]
impl ConcatBuilder {
    /// No array yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The next array.
    pub fn add(&mut self, array: &RectilinearArray) {
        self.0.push(array.sources());
    }

    /// All of them, along an axis of this number or name.
    pub fn along(self, along: &JsValue) -> JsResult<RectilinearArray> {
        // Of no arrays no axis is the wrong one: that there are none is what is wrong.
        let axis = self.0.first().map_or(Ok(0), |first| axis(along, &first.array.metadata))?;
        Ok(RectilinearArray::new(ArraySources::end_to_end(&self.0, axis)?))
    }
}
