//! Jobs of the workers' queue that come back to the calling thread.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::decoded_chunk::Done;
use super::pool::WorkerPool;
use super::worker::lost;
use crate::js::support::timer::{TimeSlice, after_microtasks};

impl WorkerPool {
    /// This thread decodes too while every worker has enough to do; between two chunks others have their turn.
    pub(crate) fn help(self: &Rc<Self>) {
        if self.is_helping.replace(true) {
            return;
        }
        let pool = Rc::clone(self);
        spawn_local(async move {
            let mut breath = TimeSlice::new();
            loop {
                let job = pool.schedule.borrow_mut().pop_newest();
                let Some(job) = job else { break };
                // Who waits for it decodes it now.
                pool.tell(job, None);
                after_microtasks().await;
                breath.take().await;
            }
            pool.is_helping.set(false);
        });
    }

    /// This thread does what waits and has lost its bytes, and says so; where no worker is ready, what no worker died with.
    pub(crate) fn give_back(&self) {
        let is_lost = |job| self.jobs.borrow().get(&job).is_some_and(|job| job.packed.is_lost());
        let mut given_back = self.schedule.borrow_mut().take(is_lost);
        if !self.is_ready() {
            given_back.extend(self.schedule.borrow_mut().dismiss(false));
        }
        for number in given_back {
            self.tell(number, None);
        }
        if self.workers.borrow().is_empty() {
            let retries = self.schedule.borrow_mut().dismiss(true);
            self.give_up(&retries);
        }
    }

    pub(crate) fn give_up(&self, numbers: &[u64]) {
        for number in numbers {
            self.tell(*number, Some(Err(lost())));
        }
    }

    fn tell(&self, number: u64, done: Option<Done>) {
        // No borrow is held while who waits is told.
        let job = self.jobs.borrow_mut().remove(&number);
        if let Some(job) = job {
            (job.tell)(done);
        }
    }
}
