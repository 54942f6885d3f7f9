//! Worker policy: how many workers there are, when they start, and which chunks they decode.
//!
//! A chunk that a worker decodes costs the calling thread a message and two copies; decoded here, it costs the codec's
//! time. Only slow codecs are worth sending.

use crate::read::array::Array;
use crate::read::plan::Plan;
use crate::read::tasks::task::Task;

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

impl Array {
    /// Decoding rate of a task's codecs, in decoded bytes per microsecond.
    #[must_use]
    pub fn rate_of(&self, task: &Task) -> u64 {
        self.task_pipeline(task).decoded_rate()
    }
}
