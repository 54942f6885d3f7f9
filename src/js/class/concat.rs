//! `RectilinearArray.concat`: opened arrays joined along an axis to one array.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::array::RectilinearArray;
use crate::js::chunks::sources::JoinedSources;
use crate::js::options::selection::axis;
use crate::js::support::loading::later_promise;
use crate::js::support::work::Work;
use crate::parts::{Calls, Loaded, later};

/// Builder of a concatenated array. It holds the sources of the added arrays, so these may be freed.
#[wasm_bindgen(js_name = Joining, skip_typescript)]
#[derive(Default)]
pub struct ConcatBuilder(Vec<Rc<JoinedSources>>);

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
    pub fn along(self, along: JsValue) -> Promise {
        let timeout = self.0.first().map_or(0, |first| first.part_timeout());
        later_promise(timeout, Ok(None), move |part| joined(part, self.0, along))
    }
}

#[later]
fn joined(_: Loaded<Calls>, arrays: Vec<Rc<JoinedSources>>, along: JsValue) -> Work<'static, JsValue> {
    Box::pin(async move {
        // Without arrays the axis cannot be checked; `end_to_end` returns the error for an empty list.
        let axis = arrays.first().map_or(Ok(0), |first| axis(&along, &first.array.metadata))?;
        Ok(RectilinearArray::new(JoinedSources::end_to_end(&arrays, axis)?).into())
    })
}
