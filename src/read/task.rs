//! A task: one chunk of a read, from where its bytes are to what they decode to.
//!
//! Invariant: a task says everything that fetching and decoding it takes, so that it can be shared by the reads that
//! want the same chunk; the array and the bytes are all that it needs beside.

use std::borrow::Cow;

use super::array::Array;
use super::job::{Job, decode, nested};
use super::limit::too_large;
use crate::codec::Pipeline;
use crate::error::{Error, Result};
use crate::grid::{ChunkPart, Wanted};
use crate::output::Decoded;
use crate::source::{ByteRange, Location, Request};

/// The least chunk of which parts are decoded alone: 256 KiB; a smaller one is decoded, and kept, whole in no time.
const LEAST_PARTED_BYTES: u64 = 256 << 10;

/// One chunk to ask for, decode and copy from, or a row of them; or one shard to be opened into such tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Chunk coordinates; an inner chunk's come after its shard's.
    pub coords: Vec<u64>,
    /// Where its bytes are.
    pub location: Location,
    /// The shape that it decodes to.
    pub chunk_shape: Vec<u64>,
    /// Which part of it goes where.
    pub wanted: Wanted,
    /// How many chunks it stands for, itself and others after it along the last axis: more than one in a row alone
    /// ([`super::Plan::rows`]).
    pub chunks: usize,
    /// Which of the arrays that were laid end to end it is of, by their order; coordinates and bytes are that one's.
    pub array: usize,
    /// How many shards it lies in.
    pub(super) depth: usize,
    /// Whether the bytes are a piece of the chunk, from the first item that is picked to the last one.
    pub(super) is_piece: bool,
    /// Whether the chunk is larger than the limit, so that only its first two bytes are asked for: is it stored at all?
    pub(super) is_too_large: bool,
    /// The most bytes of the stored shard that it lies in, where it lies in one.
    pub(super) most: Option<u64>,
}

impl Array {
    /// The chunk that a task's answer holds, or nothing where nothing is stored.
    ///
    /// # Errors
    /// [`Error::Codec`], with the chunk's key and coordinates.
    pub fn decode<'b>(&self, task: &Task, answer: Option<Cow<'b, [u8]>>) -> Result<Option<Decoded<'b>>> {
        let Some(encoded) = answer else { return Ok(None) };
        self.check_size(task)?;
        let decoded = decode(self.task_pipeline(task), task.job(), encoded);
        decoded.map(|(decoded, _)| Some(decoded)).map_err(|error| task.blame(error))
    }

    /// Checks that the answer to a task may have so many bytes, before they become memory.
    ///
    /// # Errors
    /// [`Error::Codec`], with the chunk's key and coordinates; [`Error::Unsupported`] where the chunk is stored and larger
    /// than the limit.
    pub fn check_answer(&self, task: &Task, length: usize) -> Result<()> {
        self.check_size(task)?;
        if task.is_piece {
            // A store's answer to a range is as long as the range.
            return Ok(());
        }
        let checked = self.task_pipeline(task).check_encoded(length, &task.chunk_shape);
        checked.map_err(|error| task.blame(error))
    }

    /// That all of the value may have so many bytes that a task's bytes were cut out of.
    ///
    /// # Errors
    /// [`Error::Codec`] where a chunk that is read in pieces has another length.
    pub fn check_whole(&self, task: &Task, length: usize) -> Result<()> {
        if !task.is_piece || task.depth > 0 {
            return Ok(());
        }
        let checked = self.pipeline.check_encoded(length, &task.chunk_shape);
        checked.map_err(|error| task.blame(error))
    }

    /// Whether so little is wanted of a task's chunk that it is best decoded alone, where its codecs can do that.
    #[must_use]
    pub fn reads_part(&self, task: &Task) -> bool {
        let items = || task.chunk_shape.iter().fold(1, |items: u64, &edge| items.saturating_mul(edge));
        !task.is_piece
            && self.decoded_bytes(task) >= LEAST_PARTED_BYTES
            && task.wanted.count() <= items() / 2
            && decodes_parts(self.task_pipeline(task), &task.chunk_shape)
    }

    /// What a task's job makes of its bytes, and whether that is all of the chunk.
    ///
    /// # Errors
    /// [`Error::Codec`], which does not know its chunk yet.
    pub fn run(&self, task: &Task, job: Job<'_>, encoded: Cow<'_, [u8]>) -> Result<(Decoded<'static>, bool)> {
        let (decoded, is_whole) = decode(self.task_pipeline(task), job, encoded)?;
        Ok((decoded.into_owned(), is_whole))
    }

    /// What is wanted of a task's chunk, and whether that is all of it.
    ///
    /// # Errors
    /// As [`Array::decode`].
    pub fn decode_part(&self, task: &Task, encoded: Cow<'_, [u8]>) -> Result<(Decoded<'static>, bool)> {
        self.check_size(task)?;
        self.run(task, task.part_job(), encoded).map_err(|error| task.blame(error))
    }

    /// Whether a task's chunk is stored as nothing but its items.
    #[must_use]
    pub fn is_plain(&self, task: &Task) -> bool {
        self.task_pipeline(task).is_plain(&task.chunk_shape)
    }

    /// How far apart the items of a task's chunk lie where it is stored as nothing but its items, as results have them.
    #[must_use]
    pub fn stored_strides(&self, task: &Task) -> Option<Vec<usize>> {
        self.task_pipeline(task).stored_strides(&task.chunk_shape)
    }

    /// Bytes that a task's chunk decodes to: none of one that is too large to be decoded.
    #[must_use]
    pub fn decoded_bytes(&self, task: &Task) -> u64 {
        if task.is_too_large {
            return 0;
        }
        self.pipeline.decoded_size(&task.chunk_shape)
    }

    /// Checks that a task's chunk, which is stored, is not beyond the limit.
    fn check_size(&self, task: &Task) -> Result<()> {
        if !task.is_too_large {
            return Ok(());
        }
        too_large(self, task)?.map_or(Ok(()), Err)
    }

    /// The codecs of a task's chunk.
    pub(super) fn task_pipeline(&self, task: &Task) -> &Pipeline {
        task.pipeline(self)
    }
}

impl Task {
    /// A chunk of an array that is in no shard.
    pub(super) fn new(array: usize, part: ChunkPart, location: Location) -> Self {
        let ChunkPart { coords, chunk_shape, wanted, chunks } = part;
        Self {
            coords,
            location,
            chunk_shape,
            wanted,
            chunks,
            array,
            depth: 0,
            is_piece: false,
            is_too_large: false,
            most: None,
        }
    }

    /// A piece of it, which lies there, with what is wanted counted from the piece's first item.
    pub(super) fn piece(&self, location: Location, wanted: Wanted) -> Self {
        let (coords, chunk_shape) = (self.coords.clone(), self.chunk_shape.clone());
        let (array, depth) = (self.array, self.depth);
        Self {
            coords,
            location,
            chunk_shape,
            wanted,
            chunks: 1,
            array,
            depth,
            is_piece: true,
            is_too_large: false,
            most: self.most,
        }
    }

    /// The same, known not to be stored.
    #[must_use]
    pub fn missing(self) -> Self {
        Self { location: Location::Missing, ..self }
    }

    /// What tells the chunk, or the piece, from every other one of the array: two levels of a 0-d array have the same coordinates.
    #[must_use]
    pub fn identity(&self) -> Vec<u64> {
        let piece = match &self.location {
            Location::Stored(Request { range: ByteRange::Span(span), .. }) if self.is_piece => {
                Some([span.start, span.end])
            }
            _ => None,
        };
        let chunk = self.coords.iter().copied().chain([self.depth as u64]);
        chunk.chain(piece.into_iter().flatten()).collect()
    }

    /// The identity of the shard that it lies in; its own where it lies in none.
    #[must_use]
    pub fn shard(&self) -> Vec<u64> {
        let rank = self.chunk_shape.len();
        let outer = if self.depth == 0 { self.coords.len() } else { self.coords.len() - rank };
        let depth = self.depth.saturating_sub(1) as u64;
        self.coords[..outer].iter().copied().chain([depth]).collect()
    }

    /// The store key of the chunk, or of the shard that it lies in.
    #[must_use]
    pub fn key(&self) -> &str {
        match &self.location {
            Location::Missing => "",
            Location::Stored(request) => &request.key,
        }
    }

    /// The codecs of its chunk.
    pub(super) fn pipeline<'a>(&self, array: &'a Array) -> &'a Pipeline {
        nested(&array.pipeline, self.depth)
    }

    /// What is to be made of its bytes.
    #[must_use]
    pub fn job(&self) -> Job<'_> {
        Job { depth: self.depth, is_piece: self.is_piece, shape: &self.chunk_shape, wanted: None }
    }

    /// The same where [`Array::reads_part`] says that only what is wanted need be decoded.
    #[must_use]
    pub fn part_job(&self) -> Job<'_> {
        Job { wanted: Some(&self.wanted), ..self.job() }
    }

    /// An error that knows which chunk it is of.
    #[must_use]
    pub fn blame(&self, error: Error) -> Error {
        error.in_chunk(self.key(), &self.coords)
    }
}

/// Whether a pipeline has a codec whose blocks can be decoded alone.
#[cfg(feature = "blosc")]
fn decodes_parts(pipeline: &Pipeline, shape: &[u64]) -> bool {
    pipeline.decodes_parts(shape)
}

#[cfg(not(feature = "blosc"))]
fn decodes_parts(_: &Pipeline, _: &[u64]) -> bool {
    false
}
