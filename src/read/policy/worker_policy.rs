//! Worker policy: how many workers there are, when they start, and which chunks are decoded by them.
//!
//! A chunk decoded by a worker costs the calling thread a message and two copies; decoded here it costs the codec's time.
//! Only slow codecs are worth the way.

use crate::read::array::Array;
use crate::read::plan::Plan;
use crate::read::tasks::task::Task;

/// The most workers that are started unless the caller says otherwise.
///
/// The reason: each takes some megabytes, and the calling thread puts the chunks in their places, which keeps up with about
/// so many.
const MOST: usize = 4;

/// Microseconds that a message and its answer cost the calling thread.
const MESSAGE_MICROSECONDS: u64 = 30;

/// Bytes a microsecond that the calling thread copies, to a worker and from it.
const COPY_RATE: u64 = 8000;

/// How much longer decoding must take here than the way to a worker and back.
const WORTH: u64 = 3;

/// Decoded bytes in flight from which on workers are started: one is ready some 100 ms after it was asked for.
const START_BYTES: u64 = 8 << 20;

/// Decoded bytes in flight from which on workers that run, and have nothing to do, are used.
const SEND_BYTES: u64 = 512 << 10;

/// When workers decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerPolicy {
    workers: usize,
    /// Whether the caller left the choice to us.
    is_automatic: bool,
}

impl WorkerPolicy {
    /// One worker for each processor but that of the calling thread, up to four, for what is worth it.
    #[must_use]
    pub fn automatic(processors: usize) -> Self {
        Self { workers: processors.saturating_sub(1).clamp(1, MOST), is_automatic: true }
    }

    /// The number of workers that the caller asks for, for every compressed chunk.
    #[must_use]
    pub fn fixed(workers: usize) -> Self {
        Self { workers, is_automatic: false }
    }

    /// The most workers.
    #[must_use]
    pub fn workers(self) -> usize {
        self.workers
    }

    /// Whether workers are started when chunks of so many decoded bytes are in flight.
    #[must_use]
    pub fn starts(self, in_flight: u64) -> bool {
        !self.is_automatic || in_flight >= START_BYTES
    }

    /// Whether workers that run are used then.
    #[must_use]
    pub fn uses(self, in_flight: u64, are_idle: bool) -> bool {
        !self.is_automatic || in_flight >= SEND_BYTES || !are_idle
    }

    /// Whether a chunk, of so many bytes encoded and decoded, is worth the way to a worker at a rate of decoding in
    /// bytes a microsecond.
    #[must_use]
    pub fn sends(self, encoded: u64, decoded: u64, rate: u64) -> bool {
        let here = decoded / rate.max(1);
        let away = MESSAGE_MICROSECONDS + encoded.saturating_add(decoded) / COPY_RATE;
        !self.is_automatic || here > WORTH * away
    }

    /// Whether workers are to have a part in a read: enough of its chunks are worth it.
    #[must_use]
    pub fn is_for(self, plan: &Plan<'_>, array: &Array) -> bool {
        let largest = array.largest_chunk();
        let chunks = plan.chunks();
        // Nothing is known of the encoded length; most codecs halve it.
        let is_worth = self.sends(largest / 2, largest, array.pipeline.decoded_rate());
        let is_enough = !self.is_automatic || chunks > 2 * self.workers as u64;
        is_worth && is_enough && self.starts(chunks.saturating_mul(largest))
    }
}

impl Array {
    /// Decoded bytes a microsecond of a task's codecs.
    #[must_use]
    pub fn rate_of(&self, task: &Task) -> u64 {
        self.task_pipeline(task).decoded_rate()
    }
}
