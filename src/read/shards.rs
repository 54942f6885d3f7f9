//! Shards: the request for a shard's index, and the tasks of its inner chunks.
//!
//! Invariant: an inner task's bytes lie within its shard, as far as the shard's length is known.

use super::array::Array;
use super::task::{ChunkLocation, Task};
use crate::codec::{ShardIndex, Sharding};
use crate::error::{Error, Gather, Result};
use crate::network::{ByteRange, Request};
use crate::parts::{Grids, Loaded, later};

/// Maximum number of inner chunks of one shard in one read: 2^20.
///
/// Their tasks are listed at once, some hundred bytes each.
const MAX_INNER_TASKS: u64 = 1 << 20;

impl Array {
    /// Request for the index of a task's shard; `None` where the task's chunk is no shard, or not to be read.
    #[must_use]
    pub fn index_request(&self, task: &Task) -> Option<Request> {
        let ChunkLocation::Stored(Request { key, range }) = &task.location else { return None };
        if task.is_too_large {
            return None;
        }
        let shards = self.shards(task)?;
        let size = shards.index_size(&task.chunk_shape)?;
        let range = match range {
            ByteRange::Span(span) => {
                let within = shards.index_range(&task.chunk_shape, span.end - span.start)?;
                ByteRange::Span(span.start + within.start..span.start + within.end)
            }
            _ if shards.index_at_start() => ByteRange::Span(0..size),
            _ => ByteRange::Suffix(size),
        };
        Some(Request { key: key.clone(), range })
    }

    /// Decodes the index of a task's shard.
    ///
    /// # Errors
    /// [`Error::Codec`] where the index cannot be decoded.
    pub fn decode_index(&self, task: &Task, index: &[u8]) -> Result<ShardIndex> {
        let shards = self.shards(task).ok_or_else(|| not_a_shard(task))?;
        shards.decode_index(index, &task.chunk_shape).map_err(|error| task.blame(error))
    }

    /// Tasks of the inner chunks of a shard that the selection meets, by the shard's index.
    ///
    /// # Errors
    /// [`Error::Codec`] where the index places one outside of the shard; [`Error::Unsupported`] for more than 2^20
    /// inner chunks, or one that is stored and larger than the limit.
    pub fn inner_tasks(&self, task: &Task, index: &ShardIndex) -> Result<Vec<Task>> {
        let shards = self.shards(task).ok_or_else(|| not_a_shard(task))?;
        inner_tasks(shards.part(), self, shards, task, index)
    }

    /// Coordinates of a task's chunk in [`Array::read_grid`]; for a shard, those of its first inner chunk.
    #[must_use]
    pub fn read_coords(&self, task: &Task) -> Vec<u64> {
        let axes = self.read_grid().axes().iter().zip(self.start(task, task.array));
        axes.map(|(axis, start)| axis.chunk_at(start).unwrap_or_default()).collect()
    }

    /// Start of a task's chunk in this array, in items along each axis; `array` is the number of the task's stored
    /// array among those concatenated here.
    fn start(&self, task: &Task, array: usize) -> Vec<u64> {
        if let Some(joined) = &self.joined {
            let (part, array, before) = joined.part(array);
            let mut start = part.start(task, array);
            start[joined.axis()] += before;
            return start;
        }
        let rank = self.metadata.shape.len();
        let mut levels = task.coords.chunks(rank.max(1));
        let outer = levels.next().unwrap_or_default();
        let spans = self.metadata.chunk_grid.bounds(outer).unwrap_or_default();
        let mut start: Vec<u64> = spans.iter().map(|span| span.start).collect();
        let mut pipeline = self.pipeline.as_ref();
        for level in levels.take(task.depth) {
            let Some(shards) = pipeline.shards() else { break };
            for ((start, at), edge) in start.iter_mut().zip(level).zip(shards.chunk_shape()) {
                *start += at * edge;
            }
            pipeline = shards.inner();
        }
        start
    }

    fn shards(&self, task: &Task) -> Option<&Sharding> {
        self.task_pipeline(task).shards()
    }
}

#[later]
fn inner_tasks(
    _: Loaded<Grids>,
    array: &Array,
    shards: &Sharding,
    task: &Task,
    index: &ShardIndex,
) -> Result<Vec<Task>> {
    let ChunkLocation::Stored(Request { key, range }) = &task.location else { return Ok(Vec::new()) };
    let (base, length) = match range {
        ByteRange::Span(span) => (span.start, Some(span.end - span.start)),
        _ => (0, None),
    };
    let grid = shards.grid(&task.chunk_shape)?;
    let most = Some(array.most_stored(task));
    let chunks = task.selection.chunks(&grid);
    if chunks > MAX_INNER_TASKS {
        return Err(Error::Unsupported {
            feature: format!("a read of {chunks} inner chunks of one shard"),
            reason: format!("at most {MAX_INNER_TASKS} are read at once; select less of {}", task.key()),
        });
    }
    let inner = task.selection.parts(&grid).map(|part| {
        let found = index.locate(&part.coords, length);
        let found = found.map_err(|error| task.blame(error))?;
        let location = match found
            .and_then(|span| Some(base.checked_add(span.start)?..base.checked_add(span.end)?))
        {
            None => ChunkLocation::Missing,
            Some(span) => ChunkLocation::Stored(Request { key: key.clone(), range: ByteRange::Span(span) }),
        };
        let inner = Task::new(task.array, part, location);
        let coords = [task.coords.clone(), inner.coords].concat();
        array.limited(Task { coords, depth: task.depth + 1, most, ..inner })
    });
    inner.gathered()
}

/// Error for a task whose chunk is no shard. It cannot happen: only tasks with an index request are opened.
fn not_a_shard(task: &Task) -> Error {
    Error::codec("sharding_indexed", format!("chunk {:?}", task.coords), "a shard")
}
