//! Limits of what may be decoded at once: of chunks the caller's, of the indexes of shards a fixed one.
//!
//! Invariant: of a stored chunk beyond the limit two bytes are asked for at most, and none becomes memory.

use super::task::Task;
use crate::error::{Error, Result};
use crate::read::array::Array;
use crate::source::{ByteRange, ChunkLocation};

/// The longest index of a shard that is read: 256 MiB, 16 million inner chunks.
///
/// The reason: it is held whole, encoded and decoded.
const MAX_INDEX_BYTES: u64 = 256 << 20;

/// The task, where its chunk is not beyond the limit of what may be decoded at once, or is not stored. Of one that may be
/// stored, the first bytes alone are asked for: of what is not there, the fill value is read, however large it would be.
///
/// # Errors
/// [`Error::Unsupported`] where an index says that a chunk beyond the limit is stored.
pub(crate) fn limited(array: &Array, mut task: Task) -> Result<Task> {
    let (Some(error), ChunkLocation::Stored(request)) = (too_large(array, &task)?, &mut task.location) else {
        return Ok(task);
    };
    if request.range != ByteRange::All {
        return Err(error);
    }
    // Not one byte: sirv and servers made with it take `bytes=0-0` for all bytes.
    request.range = ByteRange::UpTo(0..2);
    task.is_too_large = true;
    Ok(task)
}

/// That a task's chunk is beyond the limit, if it is; shards that are read in part have one of their own.
pub(crate) fn too_large(array: &Array, task: &Task) -> Result<Option<Error>> {
    if let Some(shards) = task.pipeline(array).shards() {
        return Ok(match shards.index_size(&task.chunk_shape) {
            Some(bytes) if bytes <= MAX_INDEX_BYTES => None,
            _ => Some(Error::Unsupported {
                feature: format!("a shard of shape {:?}", task.chunk_shape),
                reason: format!("the index of {} has more than {MAX_INDEX_BYTES} bytes", task.key()),
            }),
        });
    }
    let bytes = task.pipeline(array).largest_size(&task.chunk_shape)?;
    Ok((bytes > array.max_chunk_bytes).then(|| Error::Unsupported {
        feature: format!("a chunk of {bytes} bytes"),
        reason: format!(
            "chunk {:?} ({}) of shape {:?} is larger than maxChunkBytes, {}; raise it to read on",
            task.coords,
            task.key(),
            task.chunk_shape,
            array.max_chunk_bytes
        ),
    }))
}
