//! Loading of the package's other modules on first use: `rare` (rarely used codecs) and `systems` (virtual stores).

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

/// Sets the function that loads another module by its name. It returns the module or a promise of it, and may be called
/// several times.
#[wasm_bindgen(js_name = loadModulesBy, skip_typescript)]
pub fn load_modules_by(load: Function) {
    LOAD.set(Some(load));
}

/// Loads the module `rare` or `systems`; returns the exports of its JavaScript glue.
pub(crate) async fn module<T: JsCast>(name: &str) -> JsResult<T> {
    let load = LOAD.with_borrow(Option::clone).ok_or_else(|| JsValue::from(lost()))?;
    let loading = Promise::resolve(&load.call1(&JsValue::UNDEFINED, &name.into())?);
    Ok(JsFuture::from(loading).await?.unchecked_into())
}

/// The error where another module cannot be loaded, or is of another version.
pub(crate) fn lost() -> Error {
    Error::Unsupported {
        feature: "a package with missing or mixed files".to_owned(),
        reason: "a .wasm module of it cannot be loaded, or is of another version; deploy all files of the package \
                 together"
            .to_owned(),
    }
}
