//! The output of a read in one piece of memory.

use std::borrow::Cow;

use super::strips::{STRIP_BYTES, Strips};
use crate::error::{Gather, Result};
use crate::output::{Assembly, Decoded};
use crate::read::plan::Plan;
use crate::read::task::Task;

/// Output of a read, while its chunks arrive.
#[derive(Debug)]
pub struct Output {
    strips: Strips,
    columns: Vec<Decoded<'static>>,
}

impl Output {
    /// Allocates the output of a plan.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where it is larger than this machine can hold.
    pub fn new(plan: &Plan<'_>) -> Result<Self> {
        Self::in_strips(plan, STRIP_BYTES)
    }

    /// Allocates the output of a plan, which is assembled in strips of about `bytes` bytes.
    ///
    /// # Errors
    /// As [`Output::new`].
    pub fn in_strips(plan: &Plan<'_>, bytes: u64) -> Result<Self> {
        let strips = Strips::new(plan, bytes)?;
        // A single strip is the result itself.
        let none = vec![Some(0); plan.lengths().len()];
        let lengths = if strips.count() == 1 { &none } else { plan.lengths() };
        let whole = plan.columns().iter().map(|column| Assembly::new(column, lengths, Vec::new()));
        let columns = whole.map(|items| items.map(Assembly::into_decoded)).gathered();
        Ok(Self { strips, columns: columns.map_err(|_| plan.too_large())? })
    }

    /// Copies a task's chunk to its position, or the fill value where `chunk` is `None`.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where memory runs out.
    pub fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<()> {
        for nth in self.strips.of(&task.selection) {
            let Some(strip) = self.strips.put(nth, task, chunk)? else { continue };
            if self.strips.count() == 1 {
                self.columns = strip.columns.into_iter().map(Assembly::into_decoded).collect();
                continue;
            }
            for (items, whole) in strip.columns.into_iter().zip(&mut self.columns) {
                let Cow::Owned(whole) = &mut whole.bytes else { continue };
                let (bytes, place) = items.placed();
                whole[place].copy_from_slice(bytes);
                self.strips.reuse(items);
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
