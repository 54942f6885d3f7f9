//! Limits of decoded sizes: the caller's `maxChunkBytes` for chunks, a fixed one for the indexes of shards.
//!
//! Invariant: at most two bytes of a stored chunk beyond the limit are requested, and no memory is allocated for it.

use super::task::{ChunkLocation, Task};
use crate::error::{Error, Result};
use crate::network::ByteRange;
use crate::read::array::Array;

/// Longest index of a shard that is read: 256 MiB, for 16 million inner chunks.
///
/// The index is held whole, both encoded and decoded.
const MAX_INDEX_BYTES: u64 = 256 << 20;

/// Applies the limit of decoded sizes to a task. Only the first two bytes of a chunk beyond the limit are requested:
/// where none is stored, its items are the fill value, whatever its size.
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
    // Two bytes, not one: sirv and servers made with it answer `bytes=0-0` with all bytes.
    request.range = ByteRange::UpTo(0..2);
    task.is_too_large = true;
    Ok(task)
}

/// Error for a task's chunk that is beyond the limit; `None` for others. For a shard, the limit is that of its index.
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
