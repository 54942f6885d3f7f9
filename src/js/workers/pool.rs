//! The page's workers. They are started when there is enough to decode; each has its own instance of the compiled
//! module.
//!
//! Invariants: bytes are copied to a batch before it is transferred, so no other buffer is detached; a job whose worker
//! ended is sent to another worker once; a job that no worker can take returns to this thread.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::decoded_chunk::{Answers, Done};
use super::job_batch::{BufferPool, PackedJob, message, unpacked};
use super::worker::{Worker, start};
use crate::js::support::timer::{after_microtasks, sleep};
use crate::network::NumberedList;
use crate::parts::{Calls, Loaded};
use crate::read::WorkerSchedule;

/// Place of the compiled modules in a message.
const MODULES: u32 = 2;

/// Milliseconds after which idle workers are ended. Their memory and that of batches is freed only then.
const IDLE_MS: f64 = 20_000.0;

/// The workers, their jobs and their buffers.
#[derive(Default)]
pub(crate) struct WorkerPool {
    pub(crate) schedule: RefCell<WorkerSchedule>,
    pub(crate) workers: RefCell<NumberedList<Worker>>,
    /// Jobs without a result, by number.
    pub(crate) jobs: RefCell<NumberedList<WorkerJob>>,
    numbers: Cell<u64>,
    /// The most workers.
    pub(super) size: Cell<usize>,
    /// The caller's function that starts them, or which of the package's workers they are.
    pub(super) start: JsValue,
    /// Pool of buffers; replaced when the workers end, so that buffers that return later are freed.
    buffers: RefCell<Rc<BufferPool>>,
    /// Decoded bytes of chunks in flight.
    pub(crate) expected: Cell<u64>,
    /// Whether starting a worker failed; no other is started then.
    is_forbidden: Cell<bool>,
    /// Whether the queue will be sent after this turn's microtasks.
    is_awake: Cell<bool>,
    /// Whether this thread decodes queued jobs at present.
    pub(crate) is_helping: Cell<bool>,
    /// Whether a task watches for idle workers.
    is_watched: Cell<bool>,
}

/// A job without a result.
pub(crate) struct WorkerJob {
    pub(crate) on_done: OnDone,
    pub(crate) packed: PackedJob,
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
        if self.pool.jobs.borrow_mut().remove(self.job).is_some() {
            self.pool.schedule.borrow_mut().remove(self.job);
        }
    }
}

impl WorkerPool {
    /// Proof that the part of workers is loaded, where any worker is ready.
    pub(crate) fn ready(&self) -> Option<Loaded<Calls>> {
        Loaded::get().ok().filter(|_| self.is_ready())
    }

    /// Whether any worker is ready.
    pub(crate) fn is_ready(&self) -> bool {
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
                Some((number, worker)) => self.workers.borrow_mut().insert(number.into(), worker),
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
        // A waiting job holds its array's description, so the address identifies the array. No address is that high.
        let array =
            if goes_alone { u64::MAX - number } else { Rc::as_ptr(&packed.description).addr() as u64 };
        self.jobs.borrow_mut().insert(number, WorkerJob { on_done, packed });
        self.schedule.borrow_mut().push(number, array, bytes);
        self.wake();
        JobHandle { pool: Rc::clone(self), job: number }
    }

    /// Sends the queue after this turn's microtasks, so that jobs of one turn share batches.
    fn wake(self: &Rc<Self>) {
        if self.is_awake.replace(true) {
            return;
        }
        let pool = Rc::clone(self);
        spawn_local(async move {
            after_microtasks().await;
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
            numbers.iter().filter_map(|number| Some(&jobs.get(*number)?.packed)).collect();
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
        self.workers.borrow().get(worker.into())?.post_message(&message, &transfer).ok()
    }

    pub(super) fn joined(self: &Rc<Self>, _: Loaded<Calls>, worker: u32) {
        self.schedule.borrow_mut().join(worker);
        self.send();
    }

    pub(super) fn answered(
        self: &Rc<Self>,
        (worker, older): (u32, usize),
        answers: &Uint8Array,
        parcel: &Uint8Array,
    ) {
        let Some(found) = unpacked(answers) else { return self.died(worker) };
        let answers = Answers::new(answers, Rc::downgrade(&self.buffers.borrow()));
        let numbers = self.schedule.borrow_mut().done_after(worker, older);
        for (number, (answer, at)) in numbers.iter().zip(found) {
            let job = self.jobs.borrow_mut().remove(*number);
            if let Some(job) = job {
                (job.on_done)(Some(answer.map(|answer| answers.content(at, answer))));
            }
        }
        drop(answers);
        self.buffers.borrow().put(parcel);
        self.send();
    }

    /// Handles the end of a worker: another one replaces it, unless it never was ready.
    pub(super) fn died(self: &Rc<Self>, worker: u32) {
        let Some(dead) = self.workers.borrow_mut().remove(worker.into()) else { return };
        dead.terminate();
        let was_ready = self.schedule.borrow().has(worker);
        let is_wanted = |job| self.jobs.borrow().get(job).is_some();
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
