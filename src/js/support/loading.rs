//! Loading on first use: of the package's other modules (`systems`, `files`), and of the parts of the main module that come
//! later, where work waits for them anyway.
//!
//! Invariant: a call that answers at once needs no later part. All other work loads what it lacks, and goes on; a part
//! that cannot be loaded rejects that call only, and the next one asks for it again.

use std::cell::RefCell;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use super::work::{Cancellation, Work, promise};
use crate::error::{Error, Result};
use crate::js::JsResult;
use crate::js::convert::value::number;
use crate::parts::{LaterPart, Loaded, ModulePart, PartMissing, joined};

thread_local! {
    static LOAD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets the function that loads another module by its name. It returns the module or a promise of it, and may be called
/// several times.
#[wasm_bindgen(js_name = loadModulesBy, skip_typescript)]
pub fn load_modules_by(load: Function) {
    LOAD.set(Some(load));
}

/// Loads a module by its name, such as `systems`; returns the exports of its JavaScript glue.
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

#[wasm_bindgen(raw_module = "../load/parts.js")]
extern "C" {
    /// Loads a part by its name, once; the promise rejects after `timeout` milliseconds, unless that is 0.
    #[wasm_bindgen(js_name = loadPart)]
    fn load_part(name: &str, timeout: f64) -> Promise;
}

/// Notes that `parts.js` has instantiated a part.
#[wasm_bindgen(js_name = partJoined, skip_typescript)]
pub fn part_joined(name: &str) {
    ModulePart::ALL.into_iter().filter(|part| part.name() == name).for_each(joined);
}

/// Loads a part, where it is not there, within a number of milliseconds; 0 means without a limit.
pub(crate) async fn load<P: LaterPart>(timeout: u64) -> JsResult<Loaded<P>> {
    match Loaded::get() {
        Ok(loaded) => Ok(loaded),
        Err(PartMissing(part)) => {
            load_missing(part, timeout).await?;
            Ok(Loaded::get()?)
        }
    }
}

/// Does work; where that lacks a part, loads the part and does the work again from its beginning.
pub(crate) async fn with_parts<T>(timeout: u64, mut work: impl FnMut() -> Result<T>) -> JsResult<T> {
    loop {
        match work() {
            Err(Error::PartMissing(part)) => load_missing(part, timeout).await?,
            done => return Ok(done?),
        }
    }
}

/// A promise of work by a later part, which begins once the part is there. `signal` is the caller's, and `begin` takes
/// what was read of the caller's arguments with it.
pub(crate) fn later_promise<P: LaterPart>(
    timeout: u64,
    signal: JsResult<Option<AbortSignal>>,
    begin: impl FnOnce(Loaded<P>) -> Work<'static, JsValue> + 'static,
) -> Promise {
    // One function for all such promises, so that its future is compiled once.
    fn of(
        part: ModulePart,
        timeout: u64,
        signal: JsResult<Option<AbortSignal>>,
        begin: Box<dyn FnOnce() -> Result<Work<'static, JsValue>>>,
    ) -> Promise {
        promise(async move {
            let work = async {
                if !part.is_loaded() {
                    load_missing(part, timeout).await?;
                }
                begin()?.await
            };
            Cancellation::new(signal?)?.run(work).await
        })
    }
    of(P::PART, timeout, signal, Box::new(move || Ok(begin(Loaded::get()?))))
}

async fn load_missing(part: ModulePart, timeout: u64) -> JsResult<()> {
    JsFuture::from(load_part(part.name(), number(timeout))).await?;
    Ok(())
}
