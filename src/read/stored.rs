//! The most bytes that stored values may have: hosts may send anything, so what is read of them is bounded beforehand.

use super::array::Array;
use super::task::Task;
use crate::source::{ByteRange, Location, Request};

/// The longest value that is read whole although a part of it was asked for, from a host that ignores ranges: 1 GiB.
///
/// The reason: it is held in JavaScript's memory, and nothing says how long a shard, or another system's file, is.
pub const MAX_WHOLE_BYTES: u64 = 1 << 30;

impl Array {
    /// The most bytes of the value that a task's bytes are, or are cut out of.
    #[must_use]
    pub fn most_stored(&self, task: &Task) -> u64 {
        let is_chunk = matches!(&task.location, Location::Stored(Request { range: ByteRange::All, .. }));
        let is_alone = is_chunk || task.is_piece && task.depth == 0;
        let most = is_alone.then(|| self.task_pipeline(task).most_encoded(&task.chunk_shape));
        most.flatten().unwrap_or(MAX_WHOLE_BYTES)
    }
}
