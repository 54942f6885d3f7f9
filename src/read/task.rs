//! A task: one chunk of a read, or a row of small ones, with the location of its bytes, its decoded shape and the
//! selection within it.
//!
//! The chunks of a row are neighbours along the last axis that are read and decoded together. They differ only in the
//! last number of their coordinates and keys, and in their places along the last axis of the output; all of them meet
//! the same staging buffers.
//! Invariant: a task and its array say all that fetching and decoding need, so that reads of the same chunk can share
//! it.

use super::jobs::job::Job;
use crate::error::Error;
use crate::grid::{ChunkPart, ChunkSelection};
use crate::metadata::ChunkKeys;
use crate::network::{ByteRange, Request};
use crate::output::ChunkPlace;

/// Location of a chunk's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkLocation {
    /// The chunk is known not to be stored.
    Missing,
    /// A request finds out; its answer is the bytes, or that nothing is stored.
    Stored(Request),
}

impl ChunkLocation {
    /// The value with the key of the chunk at these coordinates, whole.
    pub(crate) fn chunk(keys: &ChunkKeys, coords: &[u64]) -> Self {
        Self::Stored(Request { key: keys.key(coords), range: ByteRange::All })
    }
}

/// One chunk to fetch, decode and copy from, or a row of chunks; or one shard to open into such tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Chunk coordinates; an inner chunk's come after its shard's.
    pub coords: Vec<u64>,
    /// Location of the encoded bytes.
    pub location: ChunkLocation,
    /// Shape of the decoded chunk, in items.
    pub chunk_shape: Vec<u64>,
    /// Selected items of the chunk, and their places in the output.
    pub selection: ChunkSelection,
    /// Number of chunks: 1, or more for a row of neighbours along the last axis ([`crate::read::Plan::rows`]).
    pub chunks: usize,
    /// Number of its array among concatenated ones; 0 without concatenation. Coordinates and location are of that
    /// array.
    pub array: usize,
    /// Number of shards around the chunk.
    pub(crate) depth: usize,
    /// Whether the bytes are a piece of the chunk, from its first selected item to its last one.
    pub(crate) is_piece: bool,
    /// Whether the chunk is larger than the limit: only its first two bytes are requested, to know whether it is
    /// stored.
    pub(crate) is_too_large: bool,
    /// The most bytes that are read of the stored shard around the chunk, if there is one.
    pub(crate) most: Option<u64>,
}

impl Task {
    /// Task for a chunk that lies in no shard.
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

    /// Task for a piece of the chunk at `location`; `selection` counts from the piece's first item.
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

    /// Where the items of the task's chunk go.
    #[must_use]
    pub fn place(&self) -> ChunkPlace<'_> {
        ChunkPlace { array: self.array, selection: &self.selection, chunks: self.chunks }
    }

    /// The task with its chunk known not to be stored.
    #[must_use]
    pub fn missing(self) -> Self {
        Self { location: ChunkLocation::Missing, ..self }
    }

    /// Identity of the chunk or piece in the array. It includes the depth: in a 0-d array, a shard and its inner chunk
    /// have the same coordinates.
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

    /// Identity of the shard around the chunk; the chunk's own where it lies in none.
    #[must_use]
    pub fn shard(&self) -> Vec<u64> {
        let rank = self.chunk_shape.len();
        let outer = if self.depth == 0 { self.coords.len() } else { self.coords.len() - rank };
        let depth = self.depth.saturating_sub(1) as u64;
        [&self.coords[..outer], &[depth]].concat()
    }

    /// Store key of the chunk, or of the shard around it; empty where the chunk is missing.
    #[must_use]
    pub fn key(&self) -> &str {
        match &self.location {
            ChunkLocation::Missing => "",
            ChunkLocation::Stored(request) => &request.key,
        }
    }

    /// The job that decodes all of the task's bytes.
    #[must_use]
    pub fn job(&self) -> Job<'_> {
        let (depth, is_piece, shape) = (self.depth, self.is_piece, &self.chunk_shape);
        Job { depth, is_piece, shape, selection: None, reduction: &[] }
    }

    /// The job that decodes only the selected items, for chunks of which [`Array::reads_part`] is true.
    #[must_use]
    pub fn part_job(&self) -> Job<'_> {
        Job { selection: Some(&self.selection), ..self.job() }
    }

    /// Adds the key and coordinates of the task's chunk to an error.
    #[must_use]
    pub fn blame(&self, error: Error) -> Error {
        error.in_chunk(self.key(), &self.coords)
    }

    /// Rest of a row after its first `chunks` chunks; `None` where none is left.
    #[must_use]
    pub fn after(&self, keys: &ChunkKeys, chunks: usize) -> Option<Self> {
        if chunks == 0 {
            return Some(self.clone());
        }
        let left = self.chunks.checked_sub(chunks).filter(|&left| left > 0)?;
        let mut task = Self { chunks: left, ..self.clone() };
        if let (Some(last), ChunkSelection::Axes(axes)) = (task.coords.last_mut(), &mut task.selection)
            && let Some(picks) = axes.last_mut()
        {
            *last += chunks as u64;
            *picks = picks.further(chunks as u64);
        }
        task.location = ChunkLocation::chunk(keys, &task.coords);
        Some(task)
    }

    /// The chunks of a row, each as a task of its own; a single chunk's task stays as it is.
    pub fn singles(&self, keys: &ChunkKeys) -> impl Iterator<Item = Self> {
        (0..self.chunks).filter_map(|nth| Some(Self { chunks: 1, ..self.after(keys, nth)? }))
    }
}
