//! Workers: how many there are, when they start, which chunks they decode, and in which batches the jobs go to them.
//!
//! A chunk that a worker decodes costs the calling thread a message and two copies; decoded here, it costs the codec's
//! time. Only slow codecs are worth sending. Batches keep each worker busy, without long queues.
//! Invariants: a job is with one worker at a time; it goes to a second worker if the first one dies, and to no third.
//! Workers get the oldest waiting jobs, the calling thread the newest. All jobs of a batch belong to one array.

use std::collections::VecDeque;

use super::array::Array;
use super::plan::Plan;

/// Most workers that are started by default.
///
/// Each takes some megabytes, and the calling thread, which copies the chunks to the result, keeps up with about four.
const MOST: usize = 4;

/// Microseconds that a message and its answer cost the calling thread.
const MESSAGE_MICROSECONDS: u64 = 30;

/// Bytes per microsecond that the calling thread copies, to a worker and from it.
const COPY_RATE: u64 = 8000;

/// Factor by which decoding here must exceed the cost of sending the chunk to a worker.
const WORTH: u64 = 3;

/// Threshold in decoded bytes in flight that starts the workers, which are ready after some 100 ms.
const START_BYTES: u64 = 8 << 20;

/// Threshold in decoded bytes in flight that uses running, idle workers.
const SEND_BYTES: u64 = 512 << 10;

/// Policy for decoding in workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerPolicy {
    workers: usize,
    /// Whether the policy decides for each chunk, because the caller gave no number of workers.
    is_automatic: bool,
}

impl WorkerPolicy {
    /// Policy of up to four workers, one fewer than processors, for chunks that are worth sending.
    #[must_use]
    pub fn automatic(processors: usize) -> Self {
        Self { workers: processors.saturating_sub(1).clamp(1, MOST), is_automatic: true }
    }

    /// Policy of a fixed number of workers, for every compressed chunk.
    #[must_use]
    pub fn fixed(workers: usize) -> Self {
        Self { workers, is_automatic: false }
    }

    /// Most workers.
    #[must_use]
    pub fn workers(self) -> usize {
        self.workers
    }

    /// Whether to start workers when chunks of `in_flight` decoded bytes are in flight.
    #[must_use]
    pub fn starts(self, in_flight: u64) -> bool {
        !self.is_automatic || in_flight >= START_BYTES
    }

    /// Whether to use running workers when chunks of `in_flight` decoded bytes are in flight.
    #[must_use]
    pub fn uses(self, in_flight: u64, are_idle: bool) -> bool {
        !self.is_automatic || in_flight >= SEND_BYTES || !are_idle
    }

    /// Whether a chunk of these encoded and decoded bytes is worth sending to a worker; `rate` is the codec's, in
    /// decoded bytes per microsecond.
    #[must_use]
    pub fn sends(self, encoded: u64, decoded: u64, rate: u64) -> bool {
        let here = decoded / rate.max(1);
        let away = MESSAGE_MICROSECONDS + encoded.saturating_add(decoded) / COPY_RATE;
        !self.is_automatic || here > WORTH * away
    }

    /// Whether workers take part in a read: enough of its chunks are worth sending.
    #[must_use]
    pub fn is_for(self, plan: &Plan<'_>, array: &Array) -> bool {
        let largest = array.largest_chunk();
        let chunks = plan.chunks();
        // The encoded length is unknown; most codecs halve the decoded one.
        let is_worth = self.sends(largest / 2, largest, array.pipeline.decoded_rate());
        let is_enough = !self.is_automatic || chunks > 2 * self.workers as u64;
        is_worth && is_enough && self.starts(chunks.saturating_mul(largest))
    }
}

/// Most decoded bytes of a batch: 1 MiB. A single job may have more.
///
/// A message costs as much as decoding 10 kB, and all answers of a batch are taken in one turn of the event loop.
const BATCH_BYTES: u64 = 1 << 20;

/// Batches that a worker always may have: the one that it decodes, and the next one.
const BATCHES: usize = 2;

/// Most batches of a worker, each of which has buffers of its own.
///
/// The calling thread takes answers only once it has handled the responses that came before, which may be dozens; a
/// worker with few batches waits for it meanwhile.
const MOST_BATCHES: usize = 8;

/// Decoded bytes of a worker's batches with which it takes no third one: 8 MiB.
const MOST_BYTES: u64 = 8 << 20;

/// Most of a worker's bytes over those that wait: whoever decodes these takes its time too, and ends as soon.
const SHARE: u64 = 2;

/// Schedule of workers and jobs, each identified by its number.
#[derive(Debug, Default)]
pub struct WorkerSchedule {
    waiting: VecDeque<QueuedJob>,
    workers: Vec<WorkerState>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct QueuedJob {
    job: u64,
    /// Number of the job's array.
    array: u64,
    /// Bytes that the job decodes to.
    bytes: u64,
    /// Whether a worker died while it had the job.
    is_retry: bool,
}

#[derive(Debug)]
struct WorkerState {
    worker: u32,
    /// Batches in the order in which they were sent.
    batches: VecDeque<Vec<QueuedJob>>,
}

impl WorkerState {
    fn outstanding(&self) -> u64 {
        self.batches.iter().flatten().map(|job| job.bytes).sum()
    }

    /// Whether it takes a batch more, while jobs of `waiting` bytes wait.
    fn has_room(&self, waiting: u64) -> bool {
        let has_share = self.outstanding() < MOST_BYTES.min(waiting.saturating_mul(SHARE));
        self.batches.len() < BATCHES || self.batches.len() < MOST_BATCHES && has_share
    }
}

impl WorkerSchedule {
    /// Number of workers.
    #[must_use]
    pub fn size(&self) -> usize {
        self.workers.len()
    }

    /// Whether the schedule has a worker of this number.
    #[must_use]
    pub fn has(&self, worker: u32) -> bool {
        self.workers.iter().any(|state| state.worker == worker)
    }

    /// Whether no job waits, and none is with a worker.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.workers.iter().all(|state| state.batches.is_empty())
    }

    /// Whether any job waits.
    #[must_use]
    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Adds a worker that is ready.
    pub fn join(&mut self, worker: u32) {
        self.workers.push(WorkerState { worker, batches: VecDeque::new() });
    }

    /// Adds a job of an array that decodes to `bytes` bytes.
    pub fn push(&mut self, job: u64, array: u64, bytes: u64) {
        self.waiting.push_back(QueuedJob { job, array, bytes, is_retry: false });
    }

    /// Removes a waiting job; one that is with a worker continues.
    pub fn remove(&mut self, job: u64) {
        self.waiting.retain(|waiting| waiting.job != job);
    }

    /// Takes the next batch to send, with the number of the least busy worker, if one has room for a batch.
    pub fn pop(&mut self) -> Option<(u32, Vec<u64>)> {
        let waiting = self.waiting.iter().map(|waiting| waiting.bytes).sum();
        let free = self.workers.iter_mut().filter(|state| state.has_room(waiting));
        let state = free.min_by_key(|state| state.outstanding())?;
        let first = self.waiting.pop_front()?;
        let (array, mut bytes) = (first.array, first.bytes);
        let mut batch = vec![first];
        while let Some(next) =
            self.waiting.front().filter(|next| next.array == array && bytes + next.bytes <= BATCH_BYTES)
        {
            bytes += next.bytes;
            batch.extend(self.waiting.pop_front());
        }
        let jobs = batch.iter().map(|waiting| waiting.job).collect();
        state.batches.push_back(batch);
        Some((state.worker, jobs))
    }

    /// Takes the newest waiting job for the calling thread, where every worker has enough batches.
    pub fn pop_newest(&mut self) -> Option<u64> {
        let is_full = |worker: &WorkerState| worker.batches.len() >= BATCHES;
        if self.workers.is_empty() || !self.workers.iter().all(is_full) {
            return None;
        }
        // A job that a worker died with may end this thread too.
        let newest = self.waiting.iter().rposition(|job| !job.is_retry)?;
        self.waiting.remove(newest).map(|job| job.job)
    }

    /// Removes a worker's oldest batch, whose answers have arrived, and returns its jobs.
    pub fn done(&mut self, worker: u32) -> Vec<u64> {
        self.done_after(worker, 0)
    }

    /// Removes a worker's batch whose answers have arrived before those of so many older ones, and returns its jobs.
    pub fn done_after(&mut self, worker: u32, older: usize) -> Vec<u64> {
        let mut states = self.workers.iter_mut();
        let state = states.find(|state| state.worker == worker);
        let batch = state.and_then(|state| state.batches.remove(older)).unwrap_or_default();
        batch.into_iter().map(|waiting| waiting.job).collect()
    }

    /// Removes a worker that died. Its jobs that are still wanted wait again, before all others; those that two workers
    /// died with are returned.
    pub fn died(&mut self, worker: u32, is_wanted: impl Fn(u64) -> bool) -> Vec<u64> {
        let Some(at) = self.workers.iter().position(|state| state.worker == worker) else {
            return Vec::new();
        };
        let mut given_up = Vec::new();
        let jobs = self.workers.remove(at).batches.into_iter().flatten();
        for waiting in jobs.filter(|waiting| is_wanted(waiting.job)).rev() {
            if waiting.is_retry {
                given_up.push(waiting.job);
            } else {
                self.waiting.push_front(QueuedJob { is_retry: true, ..waiting });
            }
        }
        given_up
    }

    /// Takes the waiting jobs for which `is_taken` is true.
    pub fn take(&mut self, is_taken: impl Fn(u64) -> bool) -> Vec<u64> {
        let taken = self.waiting.iter().map(|waiting| waiting.job).filter(|job| is_taken(*job));
        let taken: Vec<u64> = taken.collect();
        self.waiting.retain(|waiting| !taken.contains(&waiting.job));
        taken
    }

    /// Takes the waiting jobs that a worker died with (`retries`), or those that none did.
    pub fn dismiss(&mut self, retries: bool) -> Vec<u64> {
        let (dismissed, rest) = self.waiting.drain(..).partition(|waiting| waiting.is_retry == retries);
        self.waiting = rest;
        let dismissed: VecDeque<QueuedJob> = dismissed;
        dismissed.into_iter().map(|waiting| waiting.job).collect()
    }
}
