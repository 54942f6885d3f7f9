//! The most bytes that stored values may have: hosts may send anything, so what is read of them is bounded beforehand.

use super::task::Task;
use crate::read::array::Array;
/// The longest shard, or file of another system, that is read whole although a part of it was asked for, from a host that
/// ignores ranges: 1 GiB.
///
/// The reason: it is held in JavaScript's memory, and nothing says how long such a file is.
pub const MAX_WHOLE_BYTES: u64 = 1 << 30;

impl Array {
    /// The most bytes of the value that a task's bytes are, or are cut out of; none of a chunk that is too large to be
    /// decoded, of which all that is asked is whether it is stored.
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
