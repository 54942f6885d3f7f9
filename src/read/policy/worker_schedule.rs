//! The schedule of workers: waiting jobs go out in batches that keep each worker busy and none far behind.
//!
//! Invariants: a job is with one worker at a time; with a second one after the first died, and with no third; of waiting
//! jobs, the first to come goes to a worker first, and the last one to the calling thread; a batch's jobs are of one array.

use std::collections::VecDeque;

/// The most bytes, decoded, of jobs that travel together: 1 MiB. A single job may have more.
///
/// The reason: a message costs as much as decoding 10 kB, and what comes back is taken in one turn of the event loop.
const PARCEL_BYTES: u64 = 1 << 20;

/// The most parcels that a worker has: one that it decodes, and the next, that it need not wait for it.
const PARCELS: usize = 2;

/// The schedule: workers and jobs, each by its number.
#[derive(Debug, Default)]
pub struct WorkerSchedule {
    waiting: VecDeque<QueuedJob>,
    members: Vec<WorkerState>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct QueuedJob {
    job: u64,
    /// Number that tells its array from others.
    array: u64,
    /// Bytes that it decodes to.
    bytes: u64,
    /// Whether a worker died with it.
    is_retry: bool,
}

#[derive(Debug)]
struct WorkerState {
    worker: u32,
    /// In the order in which they were sent, which is that of the answers.
    parcels: VecDeque<Vec<QueuedJob>>,
}

impl WorkerState {
    fn outstanding(&self) -> u64 {
        self.parcels.iter().flatten().map(|job| job.bytes).sum()
    }
}

impl WorkerSchedule {
    /// How many workers there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Whether a worker has joined.
    #[must_use]
    pub fn has(&self, worker: u32) -> bool {
        self.members.iter().any(|member| member.worker == worker)
    }

    /// Whether no job waits and none is with a worker.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.members.iter().all(|member| member.parcels.is_empty())
    }

    /// A worker is ready.
    pub fn join(&mut self, worker: u32) {
        self.members.push(WorkerState { worker, parcels: VecDeque::new() });
    }

    /// A job of an array is to be done, which decodes to so many bytes.
    pub fn push(&mut self, job: u64, array: u64, bytes: u64) {
        self.waiting.push_back(QueuedJob { job, array, bytes, is_retry: false });
    }

    /// Nobody wants a job any more; one that is with a worker goes on.
    pub fn remove(&mut self, job: u64) {
        self.waiting.retain(|waiting| waiting.job != job);
    }

    /// The next parcel to send: to the worker that has the least to do, if one has room for it.
    pub fn pop(&mut self) -> Option<(u32, Vec<u64>)> {
        let free = self.members.iter_mut().filter(|member| member.parcels.len() < PARCELS);
        let member = free.min_by_key(|member| member.outstanding())?;
        let first = self.waiting.pop_front()?;
        let (array, mut bytes) = (first.array, first.bytes);
        let mut parcel = vec![first];
        while let Some(next) =
            self.waiting.front().filter(|next| next.array == array && bytes + next.bytes <= PARCEL_BYTES)
        {
            bytes += next.bytes;
            parcel.extend(self.waiting.pop_front());
        }
        let jobs = parcel.iter().map(|waiting| waiting.job).collect();
        member.parcels.push_back(parcel);
        Some((member.worker, jobs))
    }

    /// The newest waiting job, for the calling thread, where every worker has as much as it may have.
    pub fn pop_newest(&mut self) -> Option<u64> {
        let is_full = |worker: &WorkerState| worker.parcels.len() >= PARCELS;
        if self.members.is_empty() || !self.members.iter().all(is_full) {
            return None;
        }
        // One that a worker died with may end this thread too.
        let newest = self.waiting.iter().rposition(|job| !job.is_retry)?;
        self.waiting.remove(newest).map(|job| job.job)
    }

    /// The jobs of a worker's oldest parcel, whose answers have come.
    pub fn done(&mut self, worker: u32) -> Vec<u64> {
        let mut members = self.members.iter_mut();
        let member = members.find(|member| member.worker == worker);
        let parcel = member.and_then(|member| member.parcels.pop_front()).unwrap_or_default();
        parcel.into_iter().map(|waiting| waiting.job).collect()
    }

    /// A worker died. Those of its jobs that are still wanted wait again, before all others; those that are given up
    /// are returned.
    pub fn died(&mut self, worker: u32, is_wanted: impl Fn(u64) -> bool) -> Vec<u64> {
        let Some(at) = self.members.iter().position(|member| member.worker == worker) else {
            return Vec::new();
        };
        let mut given_up = Vec::new();
        let jobs = self.members.remove(at).parcels.into_iter().flatten();
        for waiting in jobs.filter(|waiting| is_wanted(waiting.job)).rev() {
            if waiting.is_retry {
                given_up.push(waiting.job);
            } else {
                self.waiting.push_front(QueuedJob { is_retry: true, ..waiting });
            }
        }
        given_up
    }

    /// Takes those of the jobs that wait of which this holds.
    pub fn take(&mut self, is_taken: impl Fn(u64) -> bool) -> Vec<u64> {
        let taken = self.waiting.iter().map(|waiting| waiting.job).filter(|job| is_taken(*job));
        let taken: Vec<u64> = taken.collect();
        self.waiting.retain(|waiting| !taken.contains(&waiting.job));
        taken
    }

    /// Takes jobs that wait: those that no worker died with, or those that one did.
    pub fn dismiss(&mut self, retries: bool) -> Vec<u64> {
        let (dismissed, rest) = self.waiting.drain(..).partition(|waiting| waiting.is_retry == retries);
        self.waiting = rest;
        let dismissed: VecDeque<QueuedJob> = dismissed;
        dismissed.into_iter().map(|waiting| waiting.job).collect()
    }
}
