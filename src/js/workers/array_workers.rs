//! Use of the page's workers by one array, and the choice of chunks that workers decode.
//!
//! Invariant: a chunk has the same items and errors wherever it is decoded.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use js_sys::{Function, TypeError, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::parcels::{ArrayDescription, PackedJob};
use super::pool::{JobHandle, OnDone, WorkerPool};
use super::stage_decoder::StageDecoder;
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::value::{field, number, shown};
use crate::parts::{Calls, Loaded, later};
use crate::read::{Array, Job, Plan, WorkerPolicy};

/// The most workers that a caller may ask for.
const LIMIT: u64 = 64;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_namespace = navigator, js_name = hardwareConcurrency)]
    static PROCESSORS: Option<u32>;
}

/// What the option `workers` asks for.
#[derive(Clone)]
pub(crate) struct WorkerOptions {
    policy: WorkerPolicy,
    /// The caller's function that starts a worker, in place of the package.
    start: Option<Function>,
}

impl WorkerOptions {
    /// Parses the option `workers`.
    pub(crate) fn parse(options: &JsValue) -> JsResult<Self> {
        let value = field(options, "workers");
        let start = value.dyn_ref::<Function>().cloned();
        let is_automatic =
            value.is_undefined() || value.is_null() || value.as_string().is_some_and(|text| text == "auto");
        if is_automatic || start.is_some() {
            let processors = PROCESSORS.with(|processors| processors.unwrap_or(1));
            return Ok(Self { policy: WorkerPolicy::automatic(processors as usize), start });
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer up to 64")]
        match value.as_f64().filter(|count| count.fract() == 0.0 && (0.0..=number(LIMIT)).contains(count)) {
            Some(count) => Ok(Self { policy: WorkerPolicy::fixed(count as usize), start: None }),
            None => {
                let message = format!(
                    "the option workers must be \"auto\", an integer from 0 to {LIMIT} or a function that starts a worker, \
                 not {}",
                    shown(&value)
                );
                Err(TypeError::new(&message).into())
            }
        }
    }
}

/// Use of the page's workers by one array.
pub(crate) struct ArrayWorkers {
    pool: Rc<WorkerPool>,
    policy: WorkerPolicy,
    description: OnceCell<Rc<ArrayDescription>>,
    /// Compiled modules that decode its chunks beside the main one, and what is said of custom codecs.
    modules: Option<JsValue>,
    /// Whether custom codecs decode its chunks.
    has_custom: bool,
    /// Whether a worker said that it lacks a custom codec. None is asked again.
    is_refused: Rc<Cell<bool>>,
}

/// Decoded bytes of a chunk in flight; dropping it subtracts them from the pool's count.
pub(crate) struct PendingBytes {
    pool: Rc<WorkerPool>,
    bytes: u64,
}

impl Drop for PendingBytes {
    fn drop(&mut self) {
        self.pool.expected.set(self.pool.expected.get().saturating_sub(self.bytes));
    }
}

impl ArrayWorkers {
    /// `None` where the caller asks for no workers, or none can be started.
    pub(crate) fn new(options: WorkerOptions, stages: Option<&StageDecoder>) -> Option<Self> {
        let WorkerOptions { policy, start } = options;
        let has_custom = stages.is_some_and(|stages| stages.custom.is_some());
        let start = match (start, stages) {
            (Some(start), _) => start.into(),
            (None, Some(stages)) => stages.start(),
            (None, None) => JsValue::UNDEFINED,
        };
        if has_custom && start.is_undefined() {
            return None;
        }
        let pool = WorkerPool::shared(policy.workers(), start)?;
        Some(Self {
            pool,
            policy,
            description: OnceCell::new(),
            modules: stages.map(StageDecoder::modules),
            has_custom,
            is_refused: Rc::default(),
        })
    }

    /// Whether workers may decode chunks of a read.
    pub(crate) fn are_for(&self, plan: &Plan<'_>, array: &Array) -> bool {
        self.policy.is_for(plan, array)
    }

    /// Adds a chunk of `bytes` decoded bytes to the count of bytes in flight.
    pub(crate) fn expect(&self, bytes: u64) -> PendingBytes {
        self.pool.expected.set(self.pool.expected.get().saturating_add(bytes));
        PendingBytes { pool: Rc::clone(&self.pool), bytes }
    }

    /// Proof that a worker can be sent a chunk, where one is to decode it now, by the chunk's stored and decoded bytes
    /// and its decoding rate.
    pub(crate) fn send(&self, stored: u64, decoded: u64, rate: u64) -> Option<Loaded<Calls>> {
        if self.is_refused.get() || !self.policy.sends(stored, decoded, rate) {
            return None;
        }
        let expected = self.pool.expected.get();
        if self.policy.starts(expected) {
            self.pool.fill();
        }
        self.pool.ready().filter(|_| self.policy.uses(expected, self.pool.is_idle()))
    }

    /// Whether a chunk of this decoded size and codec rate may be worth a worker, however few bytes it is stored as.
    pub(crate) fn may_send(&self, decoded: u64, rate: u64) -> bool {
        self.policy.sends(0, decoded, rate)
    }
}

/// Queues a job for a worker; `bytes` are its decoded bytes.
#[later]
pub(crate) fn decode(
    _: Loaded<Calls>,
    workers: &ArrayWorkers,
    array: &Array,
    job: Job<'_>,
    encoded: &Uint8Array,
    bytes: u64,
    on_done: OnDone,
) -> JobHandle {
    let description = workers.description.get_or_init(|| ArrayDescription::new(array));
    let packed = PackedJob::new(description, job, encoded, workers.modules.clone());
    if !workers.has_custom {
        return workers.pool.run(packed, bytes, false, on_done);
    }
    // A codec of the page says more of what is wrong than one in a worker.
    let is_refused = Rc::clone(&workers.is_refused);
    let on_done: OnDone = Box::new(move |done| match done {
        Some(Err(error)) => {
            is_refused.set(is_refused.get() || matches!(error, Error::Unsupported { .. }));
            on_done(None);
        }
        done => on_done(done),
    });
    workers.pool.run(packed, bytes, true, on_done)
}
