//! The output of a read: the items that a plan describes, put together chunk by chunk.

use super::plan::Plan;
use super::task::Task;
use crate::codec::{Assembly, Decoded};
use crate::error::{Error, Result};

/// The result of a read in the making.
#[derive(Debug)]
pub struct Output {
    items: Assembly,
}

impl Output {
    /// Memory for a plan's result.
    ///
    /// # Errors
    /// [`Error::Selection`] where it is more than this machine can hold.
    pub fn new(plan: &Plan<'_>) -> Result<Self> {
        let metadata = &plan.array().metadata;
        let items = Assembly::new(plan.lengths().iter().copied(), &metadata.data_type, &metadata.fill_value);
        let items = items.map_err(|_| Error::Selection {
            axis: None,
            reason: format!("the result would take {} bytes; select less at once", plan.output_size()),
        })?;
        Ok(Self { items })
    }

    /// Puts a task's chunk in its place, or the fill value where there is none.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where there is too little memory for the content of items of any length.
    pub fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<()> {
        self.items.put(&task.wanted, chunk)
    }

    /// The finished items, little endian, in C order.
    #[must_use]
    pub fn finish(self) -> Decoded<'static> {
        self.items.into_decoded()
    }
}
