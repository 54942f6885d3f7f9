//! Limits of stored bytes: a host may send an answer of any length, so each is bounded before it is read.

use super::task::Task;
use crate::read::array::Array;

/// Longest file that is read whole because its host ignores ranges: 1 GiB. The file is a shard, or one to which the
/// index of a virtual store refers.
///
/// It is held in JavaScript's memory, and no metadata gives its length.
pub const MAX_WHOLE_BYTES: u64 = 1 << 30;

impl Array {
    /// The most bytes that are read of the stored value that holds a task's bytes. It is 0 for a chunk that is too
    /// large to decode, which is only requested to know whether it is stored.
    #[must_use]
    pub fn most_stored(&self, task: &Task) -> u64 {
        if task.is_too_large {
            return 0;
        }
        let pipeline = self.task_pipeline(task);
        let most = task.most.or_else(|| pipeline.most_encoded(&task.chunk_shape)).unwrap_or(MAX_WHOLE_BYTES);
        if pipeline.shards().is_some() { most.min(MAX_WHOLE_BYTES) } else { most }
    }
}
