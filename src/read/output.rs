//! The output of a read: the columns that a plan describes, put together chunk by chunk.

use super::plan::Plan;
use super::task::Task;
use crate::codec::{Assembly, Decoded};
use crate::error::{Error, Result};

/// The result of a read in the making.
#[derive(Debug)]
pub struct Output {
    columns: Vec<Assembly>,
}

impl Output {
    /// Memory for a plan's result.
    ///
    /// # Errors
    /// [`Error::Selection`] where it is more than this machine can hold.
    pub fn new(plan: &Plan<'_>) -> Result<Self> {
        let columns = plan.columns().iter().map(|column| column.assembly(plan.lengths()));
        let columns = columns.collect::<Result<_>>();
        let columns = columns.map_err(|_| Error::Selection {
            axis: None,
            reason: format!("the result would take {} bytes; select less at once", plan.output_size()),
        })?;
        Ok(Self { columns })
    }

    /// Puts a task's chunk in its place, or the fill value where there is none.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where there is too little memory for the content of items of any length.
    pub fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<()> {
        self.columns.iter_mut().try_for_each(|items| items.put(&task.wanted, chunk))
    }

    /// The finished items, little endian, in C order; those of the first column where there are several.
    #[must_use]
    pub fn finish(mut self) -> Decoded<'static> {
        self.columns.swap_remove(0).into_decoded()
    }

    /// The finished items of every column.
    #[must_use]
    pub fn finish_columns(self) -> Vec<Decoded<'static>> {
        self.columns.into_iter().map(Assembly::into_decoded).collect()
    }
}
