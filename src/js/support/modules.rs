//! The package's other modules, each loaded when it is needed first: the codecs that few arrays need, and the systems
//! beside plain Zarr.

use std::cell::RefCell;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::error::Error;
use crate::js::JsResult;

thread_local! {
    static LOAD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// How the other modules are loaded: by a function that gives one by name, or a promise of it, again and again.
#[wasm_bindgen(js_name = loadModulesBy, skip_typescript)]
pub fn load_modules_by(load: Function) {
    LOAD.set(Some(load));
}

/// Exports of a module's JavaScript glue: that of `rare` or `systems`.
pub(crate) async fn module<T: JsCast>(name: &str) -> JsResult<T> {
    let load = LOAD.with_borrow(Option::clone).ok_or_else(|| JsValue::from(lost()))?;
    let loading = Promise::resolve(&load.call1(&JsValue::UNDEFINED, &name.into())?);
    Ok(JsFuture::from(loading).await?.unchecked_into())
}

/// That another module is not there, or of another version.
pub(crate) fn lost() -> Error {
    Error::Unsupported {
        feature: "another module of the package".to_owned(),
        reason: "it is there and answers in packages as they were built".to_owned(),
    }
}
