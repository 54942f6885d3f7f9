//! The output of a read: bytes, and where each axis goes in them.
//!
//! Invariant: memory starts zeroed, and every task of the plan, put or missing, writes its own box and
//! no other; once all have, every item is either stored data or the fill value.

use super::copy::{Loop, copy, fill};
use super::plan::{Plan, Task};
use crate::codec::{Decoded, buffer, to_memory};
use crate::error::{Error, Result};
use crate::grid::Projection;
use crate::metadata::ArrayMetadata;

/// The result of a read in the making.
#[derive(Debug)]
pub struct Output {
    bytes: Vec<u8>,
    /// Bytes from one item to the next along each axis of the array; 0 for a dropped axis.
    strides: Vec<usize>,
}

impl Output {
    /// Memory for a plan's result.
    ///
    /// # Errors
    /// [`Error::Selection`] where it is more than this machine can hold.
    pub fn new(plan: &Plan<'_>) -> Result<Self> {
        let too_large = |_| Error::Selection {
            axis: None,
            reason: format!("the result would take {} bytes; select less at once", plan.output_size()),
        };
        let bytes = to_memory(plan.output_size()).and_then(buffer).map_err(too_large)?;
        let mut strides = vec![0; plan.picks().len()];
        let mut stride = plan.array().metadata.data_type.item_size() as u64;
        for (axis, picks) in plan.picks().iter().enumerate().rev() {
            if !picks.dropped {
                // An axis of an empty result may have any length; its stride is never used.
                strides[axis] = to_memory(stride).unwrap_or(0);
                stride = stride.saturating_mul(picks.count);
            }
        }
        Ok(Self { bytes, strides })
    }

    /// Puts a task's chunk in its place, or the fill value where there is none.
    pub fn put(&mut self, plan: &Plan<'_>, task: &Task, chunk: Option<&Decoded<'_>>) {
        let metadata = &plan.array().metadata;
        let Some(chunk) = chunk else { return self.put_missing(metadata, &task.parts) };
        let parts = task.parts.iter().zip(&chunk.strides);
        let from = parts.map(|(part, stride)| index(part.within) * stride).sum();
        let loops = self.loops(&task.parts, &chunk.strides);
        let to = target_start(&task.parts, &self.strides);
        copy(&chunk.bytes, from, &mut self.bytes, to, metadata.data_type.item_size(), loops);
    }

    /// The finished bytes: items, little endian, in C order.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn put_missing(&mut self, metadata: &ArrayMetadata, parts: &[Projection]) {
        if metadata.fill_value.iter().all(|&byte| byte == 0) {
            return;
        }
        let nowhere = vec![0; parts.len()];
        let loops = self.loops(parts, &nowhere);
        fill(&metadata.fill_value, &mut self.bytes, target_start(parts, &self.strides), loops);
    }

    /// How to walk the picked items of a chunk, axis by axis, in the chunk and in the output.
    fn loops(&self, parts: &[Projection], chunk_strides: &[usize]) -> Vec<Loop> {
        let strides = chunk_strides.iter().zip(&self.strides);
        let loops = parts.iter().zip(strides).map(|(part, (&chunk, &output))| {
            // A step with one pick is never taken, and may be larger than memory.
            let step = if part.count == 1 { 0 } else { index(part.step) };
            let output = output.cast_signed();
            Loop {
                count: index(part.count),
                source: chunk * step,
                target: if part.reversed { -output } else { output },
            }
        });
        loops.collect()
    }
}

fn target_start(parts: &[Projection], strides: &[usize]) -> usize {
    parts.iter().zip(strides).map(|(part, stride)| index(part.output) * stride).sum()
}

/// A position inside a chunk or an output that is in memory already, and so fits.
fn index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
