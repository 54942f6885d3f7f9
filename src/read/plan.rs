//! A plan: the chunks that a selection meets, and for each one its request and the part of it that is wanted.
//!
//! Plans are data; the tasks are listed lazily, because a selection may meet 10^9 chunks.

use std::borrow::Cow;

use super::array::Array;
use crate::codec::Decoded;
use crate::error::{Error, Result};
use crate::grid::{ChunkProjections, Picks, Projection};
use crate::metadata::looks_like_html;
use crate::source::Request;

/// What reading a selection takes.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    array: &'a Array,
    picks: Vec<Picks>,
}

/// One chunk to ask for, decode and copy from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Chunk coordinates.
    pub coords: Vec<u64>,
    /// Where its bytes are.
    pub request: Request,
    /// The shape that it decodes to.
    pub chunk_shape: Vec<u64>,
    /// Which part of it goes where.
    pub parts: Vec<Projection>,
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

    /// Number of chunks that the selection meets, without walking them.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.projections().chunks()
    }

    /// The tasks in grid order. A chunk larger than the array's limit is an error before its bytes are asked for.
    pub fn tasks(&self) -> impl Iterator<Item = Result<Task>> + 'a {
        let array = self.array;
        self.projections().map(move |parts| task(array, parts))
    }

    /// The chunk that a task's answer holds, or nothing where nothing is stored.
    ///
    /// # Errors
    /// [`Error::Codec`], with the chunk's key and coordinates.
    pub fn decode<'b>(&self, task: &Task, answer: Option<Cow<'b, [u8]>>) -> Result<Option<Decoded<'b>>> {
        let Some(encoded) = answer else { return Ok(None) };
        let is_page = looks_like_html(&encoded);
        let decoded = self.array.pipeline.decode(encoded, &task.chunk_shape);
        decoded.map(Some).map_err(|error| match error.in_chunk(&task.request.key, &task.coords) {
            Error::Codec(mut error) if is_page => {
                error.hint = "its bytes are an HTML page: some hosts serve one, with status 200, for what is not there";
                Error::Codec(error)
            }
            error => error,
        })
    }

    fn projections(&self) -> ChunkProjections<'a> {
        ChunkProjections::new(&self.array.metadata.chunk_grid, &self.picks)
    }
}

fn task(array: &Array, parts: Vec<Projection>) -> Result<Task> {
    let coords: Vec<u64> = parts.iter().map(|part| part.chunk).collect();
    let chunk_shape: Vec<u64> = parts.iter().map(|part| part.encoded).collect();
    let request = array.keys.chunk(&coords);
    let bytes = array.pipeline.decoded_size(&chunk_shape);
    if bytes > array.max_chunk_bytes {
        return Err(Error::Unsupported {
            feature: format!("a chunk of {bytes} bytes"),
            reason: format!(
                "chunk {coords:?} ({}) of shape {chunk_shape:?} is larger than maxChunkBytes, {}; raise it to read on",
                request.key, array.max_chunk_bytes
            ),
        });
    }
    Ok(Task { coords, request, chunk_shape, parts })
}
