//! Jobs of the workers' queue that return to the calling thread.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::decoded_chunk::Done;
use super::pool::WorkerPool;
use super::worker::lost;
use crate::js::support::time_slice::TimeSlice;
use crate::js::support::timer::after_microtasks;

impl WorkerPool {
    /// Decodes queued jobs on this thread while every worker is busy. Before each chunk the page gets its turn, and
    /// workers the chunks that they have room for after their answers.
    pub(crate) fn help(self: &Rc<Self>) {
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
                after_microtasks().await;
                time_slice.take().await;
            }
            pool.is_helping.set(false);
        });
    }

    /// Returns jobs to this thread whose bytes are lost; without a ready worker, also those that no worker ended with.
    pub(crate) fn give_back(&self) {
        let is_lost = |job| self.jobs.borrow().get(job).is_some_and(|job| job.packed.is_lost());
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

    pub(crate) fn give_up(&self, numbers: &[u64]) {
        for number in numbers {
            self.call_back(*number, Some(Err(lost())));
        }
    }

    fn call_back(&self, number: u64, done: Option<Done>) {
        // The callback may use the pool, so no borrow is held.
        let job = self.jobs.borrow_mut().remove(number);
        if let Some(job) = job {
            (job.on_done)(done);
        }
    }
}
