//! The result of a read in one piece of memory, for readers without JavaScript.

use std::borrow::Cow;

use super::plan::Plan;
use super::task::Task;
use crate::error::{Gather, Result};
use crate::output::{Assembly, Decoded, STAGING_BYTES, Staging};

/// Output of a read, while its chunks arrive.
#[derive(Debug)]
pub struct Output {
    staging: Staging,
    columns: Vec<Decoded<'static>>,
}

impl Output {
    /// Allocates the output of a plan.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where it is larger than this machine can hold.
    pub fn new(plan: &Plan<'_>) -> Result<Self> {
        Self::in_buffers(plan, STAGING_BYTES)
    }

    /// Allocates the output of a plan, which is assembled in staging buffers of about `bytes` bytes.
    ///
    /// # Errors
    /// As [`Output::new`].
    pub fn in_buffers(plan: &Plan<'_>, bytes: u64) -> Result<Self> {
        let staging = plan.staging(bytes)?;
        // A single staging buffer is the result itself.
        let none = vec![Some(0); plan.lengths().len()];
        let lengths = if staging.count() == 1 { &none } else { plan.lengths() };
        let whole = plan.columns().iter().map(|column| Assembly::new(column, lengths, Vec::new()));
        let columns = whole.map(|items| items.map(Assembly::into_decoded)).gathered();
        Ok(Self { staging, columns: columns.map_err(|_| plan.too_large())? })
    }

    /// Copies a task's chunk to its position, or the fill value where `chunk` is `None`.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where memory runs out.
    pub fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<()> {
        for nth in self.staging.of(&task.selection) {
            let Some(buffer) = self.staging.put(nth, task.place(), chunk)? else { continue };
            if self.staging.count() == 1 {
                self.columns = buffer.columns.into_iter().map(Assembly::into_decoded).collect();
                continue;
            }
            for (items, whole) in buffer.columns.into_iter().zip(&mut self.columns) {
                let Cow::Owned(whole) = &mut whole.bytes else { continue };
                let (bytes, place) = items.placed();
                whole[place].copy_from_slice(bytes);
                self.staging.reuse(items);
            }
        }
        Ok(())
    }

    /// Returns the items, little endian, in C order; those of the first column where there are several.
    #[must_use]
    pub fn finish(mut self) -> Decoded<'static> {
        self.columns.swap_remove(0)
    }
}
