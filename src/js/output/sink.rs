//! The sink of a read's chunks: one result, the parts of a stream, the statistics of a reduction, or the cache alone.

use super::parts::Parts;
use super::reduced::Reduced;
use super::region::{CopyTarget, OutputBuffer};
use crate::js::JsResult;
use crate::js::support::time::TimeSlice;
use crate::js::workers::decoded_chunk::DecodedChunk;
use crate::output::Decoded;
use crate::read::{Plan, Task};

/// Gives one thing after the other: smaller in the module than an iterator as `dyn`, whose table has all its methods.
pub(crate) type Supply<'a, T> = Box<dyn FnMut() -> Option<T> + 'a>;

/// Destination of a read's chunks.
pub(crate) enum Sink<'a> {
    Region(Box<OutputBuffer<'a>>),
    Parts(Parts<'a>),
    Reduced(Reduced<'a>),
    Nowhere,
}

impl<'a> Sink<'a> {
    /// Whether the result is read one staging buffer after the other.
    pub(crate) fn reads_by_buffer(&self) -> bool {
        matches!(self, Self::Region(region) if region.reads_by_buffer())
    }

    /// Whether the chunks of a row may be put at once.
    pub(crate) fn takes_rows(&self) -> bool {
        matches!(self, Self::Region(region) if region.copy_target().is_none())
    }

    /// The plans to read one after the other: one for each staging buffer, or one for the whole result.
    pub(crate) fn parts(&self, plan: &Plan<'a>) -> Supply<'a, Plan<'a>> {
        match self {
            Self::Region(region) => {
                let mut parts = region.parts();
                Box::new(move || parts.next())
            }
            _ => {
                let mut plan = Some(plan.clone());
                Box::new(move || plan.take())
            }
        }
    }

    /// The target of direct copies, if the result has one.
    pub(crate) fn copy_target(&self) -> Option<&CopyTarget> {
        match self {
            Self::Region(region) => region.copy_target(),
            _ => None,
        }
    }

    /// Copies a task's chunk to its place in the result, or the fill value if `chunk` is `None`.
    pub(crate) fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        match self {
            Self::Region(region) => region.put(task, chunk),
            Self::Parts(parts) => parts.put(task, chunk),
            Self::Reduced(reduced) => reduced.put(task, chunk),
            Self::Nowhere => Ok(()),
        }
    }

    /// Like `put`, for a chunk in this module's memory or in an array that a worker sent, or for what a worker made of it.
    pub(crate) fn put_content(&mut self, task: &Task, chunk: &DecodedChunk) -> JsResult<()> {
        if let (Self::Reduced(reduced), Some(packed)) = (&mut *self, chunk.reduced()) {
            return reduced.put_reduced(task, &packed);
        }
        match (chunk, self.copy_target()) {
            (DecodedChunk::There(sent), Some(copy_target)) => copy_target.put_sent(&task.selection, sent),
            _ => self.put(task, Some(&chunk.here())),
        }
    }

    /// Whether finished data must be handed over before more chunks are put.
    pub(crate) fn is_pending(&self) -> bool {
        match self {
            Self::Region(region) => region.is_pending(),
            Self::Parts(parts) => parts.is_pending(),
            Self::Reduced(_) | Self::Nowhere => false,
        }
    }

    /// Whether so many chunks wait in it for an earlier one that no further one should be begun.
    pub(crate) fn is_full(&self) -> bool {
        matches!(self, Self::Reduced(reduced) if reduced.is_full())
    }

    /// The job by which a worker reduces a task's chunk of so many bytes; empty where the chunk itself must come.
    pub(crate) fn reduction(&self, task: &Task, chunk_bytes: u64) -> Vec<u8> {
        match self {
            Self::Reduced(reduced) => reduced.job(task, chunk_bytes),
            _ => Vec::new(),
        }
    }

    /// Whether nothing is asked of a task's chunk, which then need not be read.
    pub(crate) fn skips(&self, task: &Task) -> JsResult<bool> {
        match self {
            Self::Reduced(reduced) => reduced.skips(task),
            _ => Ok(false),
        }
    }

    /// Hands over finished data that is long or that a consumer waits for.
    pub(crate) async fn settle(&mut self, time_slice: &mut TimeSlice) -> JsResult<()> {
        match self {
            Self::Region(region) => region.settle(time_slice).await,
            Self::Parts(parts) => {
                parts.settle().await;
                Ok(())
            }
            Self::Reduced(_) | Self::Nowhere => Ok(()),
        }
    }
}
