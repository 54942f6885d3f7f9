//! One chunk's part of a result, as a box of its own: for readers who want each as it comes.
//!
//! Invariant: the boxes of the tasks of a plan cover each position of the result exactly once.

use super::plan::Plan;
use super::tasks::task::Task;
use crate::error::{Error, Gather, Result};
use crate::grid::{AxisIndexer, ChunkSelection};
use crate::output::{Assembly, Decoded, OutputField};

/// A box of a result.
#[derive(Debug)]
pub struct OutputBox {
    /// Where it starts in the result, and where it stops, along each axis that the result has.
    pub bounds: Vec<(u64, u64)>,
    /// Its items, in C order, of each column of the plan.
    pub columns: Vec<Decoded<'static>>,
    /// The least and the greatest of them, of each column that is cast by something that sees them.
    pub ranges: Vec<Option<(f64, f64)>>,
}

impl Plan<'_> {
    /// The boxes that a task's chunk gives: one, but where a list picks its coordinates in an order that scatters them.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where there is too little memory, or for points, which are no boxes.
    pub fn parts(&self, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<Vec<OutputBox>> {
        let ChunkSelection::Axes(axes) = &task.wanted else {
            let (feature, reason) = ("points as boxes".to_owned(), "read them with getPoints".to_owned());
            return Err(Error::Unsupported { feature, reason });
        };
        let along: Vec<Vec<(u64, AxisIndexer)>> = axes.iter().map(AxisIndexer::stretches).collect();
        let mut boxes: Vec<Vec<&(u64, AxisIndexer)>> = vec![Vec::new()];
        for stretches in &along {
            let mut longer = Vec::new();
            for head in &boxes {
                longer.extend(stretches.iter().map(|next| [head.as_slice(), &[next]].concat()));
            }
            boxes = longer;
        }
        boxes.iter().map(|stretches| self.part(task.array, stretches, chunk)).gathered()
    }

    fn part(
        &self,
        array: usize,
        stretches: &[&(u64, AxisIndexer)],
        chunk: Option<&Decoded<'_>>,
    ) -> Result<OutputBox> {
        let axes = stretches.iter().zip(self.lengths());
        let lengths: Vec<Option<u64>> =
            axes.clone().map(|((_, picks), length)| length.map(|_| picks.count())).collect();
        let wanted = ChunkSelection::Axes(stretches.iter().map(|(_, picks)| picks.clone()).collect());
        let put = |(nth, column): (usize, &OutputField)| -> Result<_> {
            let mut items = Assembly::new(column, lengths.iter().copied(), Vec::new())?;
            self.casts.apply(array, (nth, column), &mut items);
            items.put(&wanted, chunk)?;
            Ok((items.range(), items.into_decoded()))
        };
        let columns = self.columns().iter().enumerate().map(put).gathered()?;
        let (ranges, columns) = columns.into_iter().unzip();
        let bounds =
            axes.filter_map(|((start, picks), length)| length.map(|_| (*start, start + picks.count())));
        Ok(OutputBox { bounds: bounds.collect(), columns, ranges })
    }
}
