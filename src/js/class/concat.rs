//! `RectilinearArray.concat`: opened arrays joined along an axis to one array.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::array::RectilinearArray;
use crate::js::JsResult;
use crate::js::options::selection::axis;
use crate::js::sources::array_sources::ArraySources;

/// Builder of a concatenated array. It holds the sources of the added arrays, so these may be freed.
#[wasm_bindgen(js_name = Joining, skip_typescript)]
#[derive(Default)]
pub struct ConcatBuilder(Vec<Rc<ArraySources>>);

#[wasm_bindgen(js_class = Joining)]
impl ConcatBuilder {
    /// Makes a builder without arrays.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next array.
    pub fn add(&mut self, array: &RectilinearArray) {
        self.0.push(array.sources());
    }

    /// Joins the added arrays along an axis, which is given by number or name.
    pub fn along(self, along: &JsValue) -> JsResult<RectilinearArray> {
        // Without arrays the axis cannot be checked; `end_to_end` returns the error for an empty list.
        let axis = self.0.first().map_or(Ok(0), |first| axis(along, &first.array.metadata))?;
        Ok(RectilinearArray::new(ArraySources::end_to_end(&self.0, axis)?))
    }
}
