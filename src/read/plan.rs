//! A plan: the chunks that a selection meets, and for each one its location and the part of it that is wanted.
//!
//! Plans are data; the tasks are listed lazily, because a selection may meet 10^9 chunks.

use super::array::Array;
use super::task::{Task, limited};
use crate::error::Result;
use crate::grid::{ChunkProjections, Picks};
use crate::source::Location;

/// What reading a selection takes.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    array: &'a Array,
    picks: Vec<Picks>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(array: &'a Array, picks: Vec<Picks>) -> Self {
        Self { array, picks }
    }

    /// The array that is read.
    #[must_use]
    pub fn array(&self) -> &'a Array {
        self.array
    }

    /// What is picked along each axis of the array.
    #[must_use]
    pub fn picks(&self) -> &[Picks] {
        &self.picks
    }

    /// The result's shape: axes that an integer selects are dropped.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        self.picks.iter().filter(|picks| !picks.dropped).map(|picks| picks.count).collect()
    }

    /// Bytes of the result; saturates at `u64::MAX`.
    #[must_use]
    pub fn output_size(&self) -> u64 {
        self.array.pipeline.decoded_size(&self.shape())
    }

    /// Number of chunks that the selection meets, inner ones where chunks are shards, without walking them.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        ChunkProjections::new(self.array.read_grid(), &self.picks).chunks()
    }

    /// The tasks in grid order. A chunk larger than the array's limit is an error before its bytes are asked for.
    pub fn tasks(&self) -> impl Iterator<Item = Result<Task>> + 'a {
        let array = self.array;
        ChunkProjections::new(&array.metadata.chunk_grid, &self.picks).map(move |parts| {
            let coords: Vec<u64> = parts.iter().map(|part| part.chunk).collect();
            let request = array.keys.chunk(&coords);
            limited(array, Task::new(coords, Location::Stored(request), parts, 0))
        })
    }
}
