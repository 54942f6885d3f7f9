//! The page's workers: started when there is enough to decode, each with its own instance of the one compiled module.
//!
//! Invariants: bytes are copied into a parcel and transferred, so nothing that anyone else holds is ever detached; a job
//! whose worker died goes to another one once; a job that no worker can take is given back to be done on this thread.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use super::decoded_chunk::{Answers, Done};
use super::job_batch::{BufferPool, PackedJob, message, unpacked};
use super::worker::{Worker, can_start, start};
use crate::js::support::timer::{after_microtasks, sleep};
use crate::read::WorkerSchedule;

/// Milliseconds for which workers are kept that have nothing to do: their memory is only given back with them, as is that
/// of parcels.
const IDLE_MS: f64 = 20_000.0;

thread_local! {
    /// The pool that the page's arrays share while there are any.
    static POOL: RefCell<Weak<WorkerPool>> = const { RefCell::new(Weak::new()) };
}

/// Takes a worker's message: null when ready, undefined when it is gone, or answers to its oldest parcel, and that.
#[wasm_bindgen(js_name = workerSaid, skip_typescript)]
pub fn worker_said(worker: u32, said: &JsValue) {
    let Some(pool) = POOL.with_borrow(Weak::upgrade) else { return };
    match said.dyn_ref::<Array>() {
        Some(pair) => pool.answered(worker, &pair.get(0).unchecked_into(), &pair.get(1).unchecked_into()),
        None if said.is_null() => pool.joined(worker),
        None => pool.died(worker),
    }
}

/// The workers and what they do.
#[derive(Default)]
pub(crate) struct WorkerPool {
    pub(crate) schedule: RefCell<WorkerSchedule>,
    pub(crate) workers: RefCell<HashMap<u32, Worker>>,
    /// The jobs that somebody waits for.
    pub(crate) jobs: RefCell<HashMap<u64, WorkerJob>>,
    numbers: Cell<u64>,
    /// How many workers there may be.
    size: Cell<usize>,
    /// Others once the workers ended: what comes back after that is not kept.
    buffers: RefCell<Rc<BufferPool>>,
    /// Bytes of chunks that are on their way, decoded.
    pub(crate) expected: Cell<u64>,
    /// Whether one could not be started: then no other is tried.
    is_forbidden: Cell<bool>,
    /// Whether someone will look at what waits.
    is_awake: Cell<bool>,
    /// Whether this thread takes its part of what waits.
    pub(crate) is_helping: Cell<bool>,
    /// Whether someone looks after workers that have nothing to do.
    is_watched: Cell<bool>,
}

/// A job that somebody waits for.
pub(crate) struct WorkerJob {
    pub(crate) tell: Tell,
    pub(crate) packed: PackedJob,
}

/// Called with what came of a job; with nothing where it is to be done by the calling thread.
pub(crate) type Tell = Box<dyn FnOnce(Option<Done>)>;

/// A job that is taken back with this.
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
    /// The page's pool, made as large as said if it is smaller; nothing where no worker can be started.
    pub(crate) fn shared(size: usize) -> Option<Rc<Self>> {
        if size == 0 || !can_start() {
            return None;
        }
        let pool = POOL.with_borrow(Weak::upgrade).unwrap_or_default();
        pool.size.set(pool.size.get().max(size));
        POOL.set(Rc::downgrade(&pool));
        Some(pool)
    }

    /// Whether any worker is ready.
    pub(crate) fn is_ready(&self) -> bool {
        self.schedule.borrow().size() > 0
    }

    /// Whether the workers have nothing to do.
    pub(crate) fn is_idle(&self) -> bool {
        self.schedule.borrow().is_idle()
    }

    /// Starts as many workers as there may be; each says when it is ready.
    pub(crate) fn fill(&self) {
        while self.workers.borrow().len() < self.size.get() && !self.is_forbidden.get() {
            match start() {
                Some((number, worker)) => drop(self.workers.borrow_mut().insert(number, worker)),
                None => self.is_forbidden.set(true),
            }
        }
    }

    /// Has a job done that decodes to so many bytes.
    pub(crate) fn run(self: &Rc<Self>, packed: PackedJob, bytes: u64, tell: Tell) -> JobHandle {
        let number = self.numbers.replace(self.numbers.get() + 1);
        // As long as a job waits, its array's description stays where it is.
        let array = Rc::as_ptr(&packed.description).addr() as u64;
        self.jobs.borrow_mut().insert(number, WorkerJob { tell, packed });
        self.schedule.borrow_mut().push(number, array, bytes);
        self.wake();
        JobHandle { pool: Rc::clone(self), job: number }
    }

    /// Sends what waits once all who have jobs at this moment have said so: they may travel together.
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
            numbers.iter().filter_map(|number| Some(&jobs.get(number)?.packed)).collect();
        let buffers = self.buffers.borrow();
        let parcel = message(&jobs, buffers.take())?;
        let (message, transfer) = (Array::of1(&parcel), Array::of1(&parcel.buffer()));
        if let Some(buffer) = buffers.take() {
            message.push(&buffer);
            transfer.push(&buffer.buffer());
        }
        self.workers.borrow().get(&worker)?.post_message(&message, &transfer).ok()
    }

    fn joined(self: &Rc<Self>, worker: u32) {
        self.schedule.borrow_mut().join(worker);
        self.send();
    }

    fn answered(self: &Rc<Self>, worker: u32, answers: &Uint8Array, parcel: &Uint8Array) {
        let Some(found) = unpacked(answers) else { return self.died(worker) };
        let answers = Answers::new(answers, Rc::downgrade(&self.buffers.borrow()));
        let numbers = self.schedule.borrow_mut().done(worker);
        for (number, (answer, at)) in numbers.iter().zip(found) {
            let job = self.jobs.borrow_mut().remove(number);
            if let Some(job) = job {
                (job.tell)(Some(answer.map(|answer| answers.content(at, answer))));
            }
        }
        drop(answers);
        self.buffers.borrow().put(parcel);
        self.send();
    }

    /// A worker is no more: another one takes its place, unless it never was ready.
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

    /// Ends workers that have had nothing to do for a while.
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
        self.workers.take().values().for_each(Worker::terminate);
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.end();
    }
}
