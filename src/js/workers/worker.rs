//! A worker, and the function of the package's JavaScript that starts one.

use std::cell::{Cell, RefCell};

use js_sys::{Array, Function};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::Error;
use crate::js::JsResult;

#[wasm_bindgen]
extern "C" {
    /// A worker.
    pub(crate) type Worker;

    #[wasm_bindgen(method, catch, js_name = postMessage)]
    pub(crate) fn post_message(this: &Worker, message: &Array, transfer: &Array) -> JsResult<()>;

    #[wasm_bindgen(method)]
    pub(crate) fn terminate(this: &Worker);
}

thread_local! {
    /// `None` where there are no workers, as in Node.
    static START: RefCell<Option<Function>> = const { RefCell::new(None) };
    static NUMBERS: Cell<u32> = const { Cell::new(0) };
}

/// Sets the function that starts a worker, from the compiled module, the worker's number, and how it is started: a
/// function of the caller, or which of the package's workers it is.
#[wasm_bindgen(js_name = startWorkersBy, skip_typescript)]
pub fn start_workers_by(start: Function) {
    START.set(Some(start));
}

/// Whether the function that starts workers is set.
pub(crate) fn can_start() -> bool {
    START.with_borrow(Option::is_some)
}

/// Starts a worker of this kind, or by the caller's function; returns its unique number and the worker, or `None` where
/// this fails.
pub(crate) fn start(by: &JsValue) -> Option<(u32, Worker)> {
    let number = NUMBERS.replace(NUMBERS.get() + 1);
    let start = START.with_borrow(Option::clone)?;
    let worker = start.call3(&JsValue::UNDEFINED, &wasm_bindgen::module(), &number.into(), by).ok()?;
    Some((number, worker.unchecked_into()))
}

/// The error where two workers ended while they decoded a chunk.
pub(crate) fn lost() -> Error {
    Error::Unsupported {
        feature: "decoding in a worker".to_owned(),
        reason:
            "two workers ended while they decoded this chunk, maybe because memory was too small; open with \
                 workers: 0"
                .to_owned(),
    }
}
