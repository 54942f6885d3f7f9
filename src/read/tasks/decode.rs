//! Decoding of a task's chunk, whole or in part; its size is checked before memory is allocated.

use std::borrow::Cow;

use super::limit::too_large;
use super::task::Task;
use crate::codec::Pipeline;
use crate::error::Result;
use crate::output::Decoded;
use crate::read::array::Array;
use crate::read::wire::job::{Job, decode};

/// Smallest decoded size of a chunk of which parts are decoded: 256 KiB. A smaller chunk is decoded, and cached, whole.
const LEAST_PARTED_BYTES: u64 = 256 << 10;

impl Array {
    /// Decodes the answer to a task; `None` where nothing is stored.
    ///
    /// # Errors
    /// [`crate::Error::Codec`], with the chunk's key and coordinates; [`crate::Error::Unsupported`] where the chunk is
    /// larger than the limit.
    pub fn decode<'b>(&self, task: &Task, answer: Option<Cow<'b, [u8]>>) -> Result<Option<Decoded<'b>>> {
        let Some(encoded) = answer else { return Ok(None) };
        self.check_size(task)?;
        let decoded = decode(self.task_pipeline(task), task.job(), encoded);
        decoded.map(|(decoded, _)| Some(decoded)).map_err(|error| task.blame(error))
    }

    /// Checks the length in bytes of the answer to a task, before memory is allocated for it.
    ///
    /// # Errors
    /// [`crate::Error::Codec`], with the chunk's key and coordinates; [`crate::Error::Unsupported`] where the chunk is
    /// larger than the limit.
    pub fn check_answer(&self, task: &Task, length: usize) -> Result<()> {
        self.check_size(task)?;
        if task.is_piece {
            // A store's answer to a range is as long as the range.
            return Ok(());
        }
        let checked = self.task_pipeline(task).check_encoded(length, &task.chunk_shape);
        checked.map_err(|error| task.blame(error))
    }

    /// Checks the length in bytes of the whole value that a task's bytes were cut out of.
    ///
    /// # Errors
    /// [`crate::Error::Codec`] where a chunk that is read in pieces has another length.
    pub fn check_whole(&self, task: &Task, length: usize) -> Result<()> {
        if !task.is_piece || task.depth > 0 {
            return Ok(());
        }
        let checked = self.pipeline.check_encoded(length, &task.chunk_shape);
        checked.map_err(|error| task.blame(error))
    }

    /// Whether only the selected part of a task's chunk is decoded: its codecs can do so, and the part is at most half
    /// of a large chunk.
    #[must_use]
    pub fn reads_part(&self, task: &Task) -> bool {
        let items = || task.chunk_shape.iter().fold(1, |items: u64, &edge| items.saturating_mul(edge));
        !task.is_piece
            && self.decoded_bytes(task) >= LEAST_PARTED_BYTES
            && task.selection.count() <= items() / 2
            && decodes_parts(self.task_pipeline(task), &task.chunk_shape)
    }

    /// Decodes the bytes of a task's job; returns the items, and whether they are the whole chunk.
    ///
    /// # Errors
    /// [`crate::Error::Codec`], without the chunk's key and coordinates.
    pub fn run(&self, task: &Task, job: Job<'_>, encoded: Cow<'_, [u8]>) -> Result<(Decoded<'static>, bool)> {
        let (decoded, is_whole) = decode(self.task_pipeline(task), job, encoded)?;
        Ok((decoded.into_owned(), is_whole))
    }

    /// Decodes the selected part of a task's chunk; returns the items, and whether they are the whole chunk.
    ///
    /// # Errors
    /// As [`Array::decode`].
    pub fn decode_part(&self, task: &Task, encoded: Cow<'_, [u8]>) -> Result<(Decoded<'static>, bool)> {
        self.check_size(task)?;
        self.run(task, task.part_job(), encoded).map_err(|error| task.blame(error))
    }

    /// Whether a task's chunk is stored as uncompressed items.
    #[must_use]
    pub fn is_plain(&self, task: &Task) -> bool {
        self.task_pipeline(task).is_plain(&task.chunk_shape)
    }

    /// Strides in bytes of the items in a task's stored chunk, along each axis; `None` where it is not stored as
    /// uncompressed little-endian items.
    #[must_use]
    pub fn stored_strides(&self, task: &Task) -> Option<Vec<usize>> {
        self.task_pipeline(task).stored_strides(&task.chunk_shape)
    }

    /// Size in bytes of a task's decoded chunk; 0 where it is too large to decode.
    #[must_use]
    pub fn decoded_bytes(&self, task: &Task) -> u64 {
        if task.is_too_large {
            return 0;
        }
        self.pipeline.decoded_size(&task.chunk_shape)
    }

    /// Checks that a task's chunk is not beyond the limit.
    fn check_size(&self, task: &Task) -> Result<()> {
        if !task.is_too_large {
            return Ok(());
        }
        too_large(self, task)?.map_or(Ok(()), Err)
    }

    /// The codecs of a task's chunk.
    pub(crate) fn task_pipeline(&self, task: &Task) -> &Pipeline {
        task.pipeline(self)
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
