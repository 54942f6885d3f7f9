//! The page's workers. They are started when there is enough to decode; each has its own instance of the compiled
//! module.
//!
//! Invariants: bytes are copied to a batch before it is transferred, so no other buffer is detached; a job whose worker
//! ended is sent to another worker once; a job that no worker can take returns to this thread.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use js_sys::{Array, Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use super::decoded_chunk::{Answers, Done};
use super::parcels::{BufferPool, PackedJob, message, new_number, unpacked};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::support::time::{TimeSlice, sleep};
use crate::js::support::work::after_other_tasks;
use crate::parts::{Calls, Loaded, later};
use crate::read::WorkerSchedule;

/// Place of the compiled modules in a message.
const MODULES: u32 = 2;

/// Milliseconds after which idle workers are ended. Their memory and that of batches is freed only then.
const IDLE_MS: f64 = 20_000.0;

#[wasm_bindgen]
extern "C" {
    /// A worker.
    type Worker;

    #[wasm_bindgen(method, catch, js_name = postMessage)]
    fn post_message(this: &Worker, message: &Array, transfer: &Array) -> JsResult<()>;

    #[wasm_bindgen(method)]
    fn terminate(this: &Worker);
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
fn can_start() -> bool {
    START.with_borrow(Option::is_some)
}

/// Starts a worker of this kind, or by the caller's function; returns its unique number and the worker, or `None` where
/// this fails.
fn start(by: &JsValue) -> Option<(u32, Worker)> {
    let number = NUMBERS.replace(NUMBERS.get() + 1);
    let start = START.with_borrow(Option::clone)?;
    let worker = start.call3(&JsValue::UNDEFINED, &wasm_bindgen::module(), &number.into(), by).ok()?;
    Some((number, worker.unchecked_into()))
}

/// The error where two workers ended while they decoded a chunk.
fn lost() -> Error {
    Error::Unsupported {
        feature: "decoding in a worker".to_owned(),
        reason:
            "two workers ended while they decoded this chunk, maybe because memory was too small; open with \
                 workers: 0"
                .to_owned(),
    }
}

/// The workers, their jobs and their buffers.
#[derive(Default)]
pub(crate) struct WorkerPool {
    schedule: RefCell<WorkerSchedule>,
    workers: RefCell<HashMap<u32, Worker>>,
    /// Jobs without a result, by number.
    jobs: RefCell<HashMap<u64, WorkerJob>>,
    numbers: Cell<u64>,
    /// The most workers.
    size: Cell<usize>,
    /// The caller's function that starts them, or which of the package's workers they are.
    start: JsValue,
    /// Pool of buffers; replaced when the workers end, so that buffers that return later are freed.
    buffers: RefCell<Rc<BufferPool>>,
    /// Decoded bytes of chunks in flight.
    pub(crate) expected: Cell<u64>,
    /// Whether starting a worker failed; no other is started then.
    is_forbidden: Cell<bool>,
    /// Whether the sending of the queue is scheduled.
    is_awake: Cell<bool>,
    /// Whether this thread decodes queued jobs at present.
    is_helping: Cell<bool>,
    /// Whether a task watches for idle workers.
    is_watched: Cell<bool>,
}

/// A job without a result.
struct WorkerJob {
    on_done: OnDone,
    packed: PackedJob,
}

/// Callback with the result of a job, or with `None` where the calling thread must decode it.
pub(crate) type OnDone = Box<dyn FnOnce(Option<Done>)>;

/// Handle to a job; dropping it removes the job from the queue.
pub(crate) struct JobHandle {
    pool: Rc<WorkerPool>,
    job: u64,
}

impl Drop for JobHandle {
    fn drop(&mut self) {
        if self.pool.jobs.borrow_mut().remove(&self.job).is_some() {
            self.pool.schedule.borrow_mut().remove(self.job);
        }
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

    /// Proof that the part of workers is loaded, where any worker is ready.
    pub(crate) fn ready(&self) -> Option<Loaded<Calls>> {
        Loaded::get().ok().filter(|_| self.is_ready())
    }

    /// Whether any worker is ready.
    fn is_ready(&self) -> bool {
        self.schedule.borrow().size() > 0
    }

    /// Whether no worker has a job.
    pub(crate) fn is_idle(&self) -> bool {
        self.schedule.borrow().is_idle()
    }

    /// Starts workers up to the pool's size; each sends a message when it is ready.
    pub(crate) fn fill(&self) {
        while self.workers.borrow().len() < self.size.get() && !self.is_forbidden.get() {
            match start(&self.start) {
                Some((number, worker)) => drop(self.workers.borrow_mut().insert(number, worker)),
                None => self.is_forbidden.set(true),
            }
        }
    }

    /// Queues a job that decodes to `bytes` bytes; one that goes alone shares its batch with no other, which would wait
    /// for it.
    pub(crate) fn run(
        self: &Rc<Self>,
        packed: PackedJob,
        bytes: u64,
        goes_alone: bool,
        on_done: OnDone,
    ) -> JobHandle {
        let number = self.numbers.replace(self.numbers.get() + 1);
        let array = if goes_alone { new_number() } else { packed.description.number };
        self.jobs.borrow_mut().insert(number, WorkerJob { on_done, packed });
        self.schedule.borrow_mut().push(number, array, bytes);
        self.wake();
        JobHandle { pool: Rc::clone(self), job: number }
    }

    /// Sends the queue once the reads that were woken before have added their jobs, so that these share batches.
    fn wake(self: &Rc<Self>) {
        if self.is_awake.replace(true) {
            return;
        }
        let pool = Rc::clone(self);
        spawn_local(async move {
            after_other_tasks().await;
            pool.is_awake.set(false);
            pool.send();
        });
    }

    fn send(self: &Rc<Self>) {
        self.give_back();
        loop {
            let Some((worker, numbers)) = self.schedule.borrow_mut().pop() else { break };
            if self.post(worker, &numbers).is_none() {
                self.died(worker);
            }
        }
        self.help();
        self.watch();
    }

    fn post(&self, worker: u32, numbers: &[u64]) -> Option<()> {
        let jobs = self.jobs.borrow();
        let jobs: Vec<&PackedJob> =
            numbers.iter().filter_map(|number| Some(&jobs.get(number)?.packed)).collect();
        let buffers = self.buffers.borrow();
        let parcel = message(&jobs, buffers.take())?;
        let (message, transfer) = (Array::of1(&parcel), Array::of1(&parcel.buffer()));
        if let Some(buffer) = buffers.take() {
            message.push(&buffer);
            transfer.push(&buffer.buffer());
        }
        // Jobs of one batch are of one array. A worker that was started anew gets the modules again.
        if let Some(modules) = &jobs.first()?.modules {
            message.set(MODULES, modules.clone());
        }
        self.workers.borrow().get(&worker)?.post_message(&message, &transfer).ok()
    }

    fn joined(self: &Rc<Self>, _: Loaded<Calls>, worker: u32) {
        self.schedule.borrow_mut().join(worker);
        self.send();
    }

    fn answered(self: &Rc<Self>, worker: u32, older: usize, answers: &Uint8Array, parcel: &Uint8Array) {
        let Some(found) = unpacked(answers) else { return self.died(worker) };
        let answers = Answers::new(answers, Rc::downgrade(&self.buffers.borrow()));
        let numbers = self.schedule.borrow_mut().done_after(worker, older);
        for (number, (answer, at)) in numbers.iter().zip(found) {
            let job = self.jobs.borrow_mut().remove(number);
            if let Some(job) = job {
                (job.on_done)(Some(answer.map(|answer| answers.content(at, answer))));
            }
        }
        drop(answers);
        self.buffers.borrow().put(parcel);
        self.send();
    }

    /// Handles the end of a worker: another one replaces it, unless it never was ready.
    fn died(self: &Rc<Self>, worker: u32) {
        let Some(dead) = self.workers.borrow_mut().remove(&worker) else { return };
        dead.terminate();
        let was_ready = self.schedule.borrow().has(worker);
        let is_wanted = |job| self.jobs.borrow().contains_key(&job);
        let given_up = self.schedule.borrow_mut().died(worker, is_wanted);
        self.give_up(&given_up);
        if was_ready {
            self.fill();
        } else {
            self.is_forbidden.set(true);
        }
        self.send();
    }

    /// Ends the workers after they were idle for [`IDLE_MS`].
    fn watch(self: &Rc<Self>) {
        if !self.is_idle() || !self.is_ready() || self.is_watched.replace(true) {
            return;
        }
        let pool = Rc::downgrade(self);
        spawn_local(async move {
            let mut seen = None;
            while let Some(pool) = pool.upgrade() {
                let now = pool.numbers.get();
                if seen == Some(now) && pool.is_idle() {
                    pool.is_watched.set(false);
                    pool.end();
                    break;
                }
                seen = Some(now);
                drop(pool);
                sleep(IDLE_MS).await;
            }
        });
    }

    /// Decodes queued jobs on this thread while every worker is busy. Before each chunk the page gets its turn, and
    /// workers the chunks that they have room for after their answers.
    fn help(self: &Rc<Self>) {
        if self.is_helping.replace(true) {
            return;
        }
        let pool = Rc::clone(self);
        spawn_local(async move {
            let mut time_slice = TimeSlice::default();
            while pool.schedule.borrow().has_waiting() {
                time_slice.end_turn().await;
                let job = pool.schedule.borrow_mut().pop_newest();
                let Some(job) = job else { break };
                // Without a result, the read that waits for the job decodes it now.
                pool.call_back(job, None);
                after_other_tasks().await;
                time_slice.take().await;
            }
            pool.is_helping.set(false);
        });
    }

    /// Returns jobs to this thread whose bytes are lost; without a ready worker, also those that no worker ended with.
    fn give_back(&self) {
        let is_lost = |job| self.jobs.borrow().get(&job).is_some_and(|job| job.packed.is_lost());
        let mut given_back = self.schedule.borrow_mut().take(is_lost);
        if !self.is_ready() {
            given_back.extend(self.schedule.borrow_mut().dismiss(false));
        }
        for number in given_back {
            self.call_back(number, None);
        }
        if self.workers.borrow().is_empty() {
            let retries = self.schedule.borrow_mut().dismiss(true);
            self.give_up(&retries);
        }
    }

    fn give_up(&self, numbers: &[u64]) {
        for number in numbers {
            self.call_back(*number, Some(Err(lost())));
        }
    }

    fn call_back(&self, number: u64, done: Option<Done>) {
        // The callback may use the pool, so no borrow is held.
        let job = self.jobs.borrow_mut().remove(&number);
        if let Some(job) = job {
            (job.on_done)(done);
        }
    }

    fn end(&self) {
        self.schedule.take();
        self.buffers.take();
        self.workers.take().iter().for_each(|(_, worker)| worker.terminate());
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.end();
    }
}

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
    let has_it = |pool: &Rc<WorkerPool>| pool.workers.borrow().contains_key(&worker);
    let Some(pool) = POOLS.with_borrow(|pools| pools.iter().filter_map(Weak::upgrade).find(has_it)) else {
        return;
    };
    match said.dyn_ref::<Array>() {
        Some(said) => {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
            let older = said.get(OLDER).as_f64().unwrap_or_default() as usize;
            pool.answered(worker, older, &said.get(0).unchecked_into(), &said.get(1).unchecked_into());
        }
        None if said.is_null() => pool.joined(part, worker),
        None => pool.died(worker),
    }
}
