//! Use of the page's workers by one array, and the choice of chunks that workers decode.
//!
//! Invariant: a chunk has the same items and errors wherever it is decoded.

use std::cell::OnceCell;
use std::rc::Rc;

use js_sys::{TypeError, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::job_batch::PackedJob;
use super::pool::{JobHandle, OnDone, WorkerPool};
use crate::js::JsResult;
use crate::js::convert::value::{field, number, shown};
use crate::read::{Array, Job, Plan, WorkerPolicy};

/// The most workers that a caller may ask for.
const LIMIT: u64 = 64;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_namespace = navigator, js_name = hardwareConcurrency)]
    static PROCESSORS: Option<u32>;
}

/// Parses the option `workers`.
pub(crate) fn worker_policy(options: &JsValue) -> JsResult<WorkerPolicy> {
    let value = field(options, "workers");
    if value.is_undefined() || value.is_null() || value.as_string().is_some_and(|text| text == "auto") {
        let processors = PROCESSORS.with(|processors| processors.unwrap_or(1));
        return Ok(WorkerPolicy::automatic(processors as usize));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer up to 64")]
    match value.as_f64().filter(|count| count.fract() == 0.0 && (0.0..=number(LIMIT)).contains(count)) {
        Some(count) => Ok(WorkerPolicy::fixed(count as usize)),
        None => {
            let message = format!(
                "the option workers must be \"auto\" or an integer from 0 to {LIMIT}, not {}",
                shown(&value)
            );
            Err(TypeError::new(&message).into())
        }
    }
}

/// Use of the page's workers by one array.
pub(crate) struct ArrayWorkers {
    pool: Rc<WorkerPool>,
    policy: WorkerPolicy,
    description: OnceCell<Rc<Vec<u8>>>,
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
    pub(crate) fn new(policy: WorkerPolicy) -> Option<Self> {
        let pool = WorkerPool::shared(policy.workers())?;
        Some(Self { pool, policy, description: OnceCell::new() })
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

    /// Whether a worker is to decode a chunk now, by its stored and decoded bytes and its decoding rate.
    pub(crate) fn send(&self, stored: u64, (decoded, rate): (u64, u64)) -> bool {
        if !self.policy.sends(stored, decoded, rate) {
            return false;
        }
        let expected = self.pool.expected.get();
        if self.policy.starts(expected) {
            self.pool.fill();
        }
        self.pool.is_ready() && self.policy.uses(expected, self.pool.is_idle())
    }

    /// Whether a chunk of this decoded size and codec rate may be worth a worker, however few bytes it is stored as.
    pub(crate) fn may_send(&self, decoded: u64, rate: u64) -> bool {
        self.policy.sends(0, decoded, rate)
    }

    /// Queues a job for a worker; `bytes` are its decoded bytes.
    pub(crate) fn decode(
        &self,
        array: &Array,
        job: Job<'_>,
        encoded: &Uint8Array,
        bytes: u64,
        on_done: OnDone,
    ) -> JobHandle {
        let description = self.description.get_or_init(|| Rc::new(array.description()));
        self.pool.run(PackedJob::new(description, job, encoded), bytes, on_done)
    }
}
