//! A task: one chunk of a read, from where its bytes are to what they decode to.
//!
//! Invariant: a task says everything that fetching and decoding it takes, so that it can be shared by the reads that
//! want the same chunk; the array and the bytes are all that it needs beside.

use crate::codec::Pipeline;
use crate::error::Error;
use crate::grid::{ChunkPart, ChunkSelection};
use crate::read::array::Array;
use crate::read::wire::job::{Job, nested};
use crate::source::{ByteRange, ChunkLocation, Request};

/// One chunk to ask for, decode and copy from, or a row of them; or one shard to be opened into such tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Chunk coordinates; an inner chunk's come after its shard's.
    pub coords: Vec<u64>,
    /// Where its bytes are.
    pub location: ChunkLocation,
    /// The shape that it decodes to.
    pub chunk_shape: Vec<u64>,
    /// Selection from the chunk, with its positions in the output.
    pub selection: ChunkSelection,
    /// How many chunks it stands for, itself and others after it along the last axis: more than one in a row alone
    /// ([`crate::read::Plan::rows`]).
    pub chunks: usize,
    /// Which of the arrays that were laid end to end it is of, by their order; coordinates and bytes are that one's.
    pub array: usize,
    /// How many shards it lies in.
    pub(crate) depth: usize,
    /// Whether the bytes are a piece of the chunk, from the first item that is picked to the last one.
    pub(crate) is_piece: bool,
    /// Whether the chunk is larger than the limit, so that only its first two bytes are asked for: is it stored at all?
    pub(crate) is_too_large: bool,
    /// The most bytes of the stored shard that it lies in, where it lies in one.
    pub(crate) most: Option<u64>,
}

impl Task {
    /// A chunk of an array that is in no shard.
    pub(crate) fn new(array: usize, part: ChunkPart, location: ChunkLocation) -> Self {
        let ChunkPart { coords, chunk_shape, selection, chunks } = part;
        Self {
            coords,
            location,
            chunk_shape,
            selection,
            chunks,
            array,
            depth: 0,
            is_piece: false,
            is_too_large: false,
            most: None,
        }
    }

    /// A piece of the task's chunk at `location`; `selection` counts from the first item of the piece.
    pub(crate) fn piece(&self, location: ChunkLocation, selection: ChunkSelection) -> Self {
        let (coords, chunk_shape) = (self.coords.clone(), self.chunk_shape.clone());
        let (array, depth) = (self.array, self.depth);
        Self {
            coords,
            location,
            chunk_shape,
            selection,
            chunks: 1,
            array,
            depth,
            is_piece: true,
            is_too_large: false,
            most: self.most,
        }
    }

    /// This task, with its chunk known not to be stored.
    #[must_use]
    pub fn missing(self) -> Self {
        Self { location: ChunkLocation::Missing, ..self }
    }

    /// Identity of the chunk, or the piece, in the array: two levels of a 0-d array have the same coordinates.
    #[must_use]
    pub fn identity(&self) -> Vec<u64> {
        let mut identity = [self.coords.as_slice(), &[self.depth as u64]].concat();
        if let ChunkLocation::Stored(Request { range: ByteRange::Span(span), .. }) = &self.location
            && self.is_piece
        {
            identity.extend([span.start, span.end]);
        }
        identity
    }

    /// The identity of the shard that it lies in; its own where it lies in none.
    #[must_use]
    pub fn shard(&self) -> Vec<u64> {
        let rank = self.chunk_shape.len();
        let outer = if self.depth == 0 { self.coords.len() } else { self.coords.len() - rank };
        let depth = self.depth.saturating_sub(1) as u64;
        [&self.coords[..outer], &[depth]].concat()
    }

    /// The store key of the chunk, or of the shard that it lies in.
    #[must_use]
    pub fn key(&self) -> &str {
        match &self.location {
            ChunkLocation::Missing => "",
            ChunkLocation::Stored(request) => &request.key,
        }
    }

    /// The codecs of its chunk.
    pub(crate) fn pipeline<'a>(&self, array: &'a Array) -> &'a Pipeline {
        nested(&array.pipeline, self.depth)
    }

    /// The job of decoding its bytes.
    #[must_use]
    pub fn job(&self) -> Job<'_> {
        Job { depth: self.depth, is_piece: self.is_piece, shape: &self.chunk_shape, selection: None }
    }

    /// The job of decoding only the selected part, where [`Array::reads_part`] says that no more is needed.
    #[must_use]
    pub fn part_job(&self) -> Job<'_> {
        Job { selection: Some(&self.selection), ..self.job() }
    }

    /// An error that knows which chunk it is of.
    #[must_use]
    pub fn blame(&self, error: Error) -> Error {
        error.in_chunk(self.key(), &self.coords)
    }
}
