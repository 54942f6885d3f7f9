//! A plan: the chunks that a selection meets, and for each one its location and the part of it that is wanted.
//!
//! Plans are data; the tasks are listed lazily, because a selection may meet 10^9 chunks.

use super::array::Array;
use super::task::{Task, limited};
use crate::error::Result;
use crate::grid::{Picked, Points, Wanted};
use crate::source::Location;

/// What reading a selection takes.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    array: &'a Array,
    wanted: Wanted,
    /// Length of the output along each axis that is wanted; none where it is dropped.
    lengths: Vec<Option<u64>>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(array: &'a Array, picked: Vec<Picked>) -> Self {
        let lengths = picked.iter().map(|axis| (!axis.dropped).then_some(axis.picks.count())).collect();
        let wanted = Wanted::Axes(picked.into_iter().map(|axis| axis.picks).collect());
        Self { array, wanted, lengths }
    }

    pub(super) fn of_points(array: &'a Array, points: Points) -> Self {
        Self { array, lengths: vec![Some(points.count())], wanted: Wanted::Points(points) }
    }

    /// The array that is read.
    #[must_use]
    pub fn array(&self) -> &'a Array {
        self.array
    }

    /// What is wanted of the array.
    #[must_use]
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Length of the output along each axis that is selected; none for one that an integer drops.
    #[must_use]
    pub fn lengths(&self) -> &[Option<u64>] {
        &self.lengths
    }

    /// The result's shape: axes that an integer selects are dropped; points lie along one axis.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        self.lengths.iter().copied().flatten().collect()
    }

    /// Bytes of the result; saturates at `u64::MAX`.
    #[must_use]
    pub fn output_size(&self) -> u64 {
        self.array.pipeline.decoded_size(&self.shape())
    }

    /// Number of chunks that the selection meets, inner ones where chunks are shards, without walking all of them.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.wanted.chunks(self.array.read_grid())
    }

    /// Number of stored chunks, shards where there are any, that the selection meets, without walking them.
    #[must_use]
    pub fn stored_chunks(&self) -> u64 {
        self.wanted.chunks(&self.array.metadata.chunk_grid)
    }

    /// The tasks in grid order. A chunk larger than the array's limit is an error before its bytes are asked for.
    pub fn tasks(&self) -> impl Iterator<Item = Result<Task>> + 'a {
        let array = self.array;
        self.wanted.parts(&array.metadata.chunk_grid).map(move |part| {
            let request = array.keys.chunk(&part.coords);
            limited(array, Task::new(part, Location::Stored(request)))
        })
    }
}
