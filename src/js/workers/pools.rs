//! The page's pools of workers, and the messages of workers to them.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use js_sys::Array;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::pool::WorkerPool;
use super::worker::can_start;
use crate::parts::{Calls, Loaded, later};

/// Place of the number of older batches in an answer.
const OLDER: u32 = 2;

thread_local! {
    /// The pools that the page's arrays share, as long as there are any: one for each kind of the package's workers, and
    /// one for each function that starts others.
    static POOLS: RefCell<Vec<Weak<WorkerPool>>> = const { RefCell::new(Vec::new()) };
}

/// Handles a worker's message: null when it is ready, undefined when it ended, or its answers with the batch's buffer and
/// the number of older batches that it has not answered.
#[wasm_bindgen(js_name = workerSaid, skip_typescript)]
pub fn worker_said(worker: u32, said: &JsValue) {
    // The page's JavaScript loads the part before it hands over what workers say.
    if let Ok(part) = Loaded::get() {
        hear(part, worker, said);
    }
}

#[later]
fn hear(part: Loaded<Calls>, worker: u32, said: &JsValue) {
    let has_it = |pool: &Rc<WorkerPool>| pool.workers.borrow().get(worker.into()).is_some();
    let Some(pool) = POOLS.with_borrow(|pools| pools.iter().filter_map(Weak::upgrade).find(has_it)) else {
        return;
    };
    match said.dyn_ref::<Array>() {
        Some(said) => {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
            let older = said.get(OLDER).as_f64().unwrap_or_default() as usize;
            pool.answered((worker, older), &said.get(0).unchecked_into(), &said.get(1).unchecked_into());
        }
        None if said.is_null() => pool.joined(part, worker),
        None => pool.died(worker),
    }
}

impl WorkerPool {
    /// The page's pool for at least `size` workers that are started so; `None` where no worker can be started.
    pub(crate) fn shared(size: usize, start: JsValue) -> Option<Rc<Self>> {
        if size == 0 || !can_start() {
            return None;
        }
        let pool = POOLS.with_borrow_mut(|pools| {
            pools.retain(|pool| pool.strong_count() > 0);
            let known = pools.iter().filter_map(Weak::upgrade).find(|pool| pool.start == start);
            known.unwrap_or_else(|| {
                let mut pool = Self::default();
                pool.start = start;
                let pool = Rc::new(pool);
                pools.push(Rc::downgrade(&pool));
                pool
            })
        });
        pool.size.set(pool.size.get().max(size));
        Some(pool)
    }
}
