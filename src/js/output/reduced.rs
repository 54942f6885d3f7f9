//! A reduced read: the items of each chunk enter a gathering as they are decoded, and no result is made of them.

use std::cell::RefCell;
use std::rc::Rc;

use crate::answers::{Bounds, BoxItems, ChunkBox, Gathering};
use crate::error::{Gather, Result};
use crate::grid::{AxisIndexer, ChunkSelection};
use crate::js::JsResult;
use crate::output::Decoded;
use crate::parts::{Answers, Loaded, later};
use crate::read::{Plan, Task};

/// Sends the chunks of a plan to a gathering.
pub(crate) struct Reduced<'a> {
    plan: &'a Plan<'a>,
    gathering: Rc<RefCell<dyn Gathering>>,
    part: Loaded<Answers>,
}

impl<'a> Reduced<'a> {
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        gathering: Rc<RefCell<dyn Gathering>>,
        part: Loaded<Answers>,
    ) -> Self {
        Self { plan, gathering, part }
    }

    /// Takes a task's chunk, or the fill value where the chunk is missing.
    pub(crate) fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        Ok(put(self.part, self, task, chunk)?)
    }

    /// The job by which a worker reduces a task's chunk; empty where the chunk itself must come.
    pub(crate) fn job(&self, task: &Task, chunk_bytes: u64) -> Vec<u8> {
        job(self.part, self, task, chunk_bytes).unwrap_or_default()
    }

    /// Takes what a worker made of a task's chunk by such a job.
    pub(crate) fn put_reduced(&mut self, task: &Task, packed: &[u8]) -> JsResult<()> {
        Ok(put_reduced(self.part, self, task, packed)?)
    }

    /// Whether nothing is asked of a task's chunk, which then need not be read.
    pub(crate) fn skips(&self, task: &Task) -> JsResult<bool> {
        Ok(skips(self.part, self, task)?)
    }

    /// Whether so many chunks wait for an earlier one that no further one should be begun.
    pub(crate) fn is_full(&self) -> bool {
        self.gathering.borrow().is_full()
    }
}

#[later]
fn skips(_: Loaded<Answers>, reduced: &Reduced<'_>, task: &Task) -> Result<bool> {
    reduced.gathering.borrow_mut().skip(&bounds(&task.selection, reduced.plan.lengths()))
}

#[later]
fn job(_: Loaded<Answers>, reduced: &Reduced<'_>, task: &Task, chunk_bytes: u64) -> Option<Vec<u8>> {
    let ChunkSelection::Axes(axes) = &task.selection else { return None };
    let lengths = reduced.plan.lengths();
    let picks = axes.iter().map(|picks| match picks.stretches().as_slice() {
        [(_, picks)] => Some(picks.clone()),
        _ => None,
    });
    let (picks, boxes) = (picks.gathered()?, bounds(&task.selection, lengths));
    let [bounds] = boxes.as_slice() else { return None };
    let column = &reduced.plan.column_of(task.array);
    reduced.gathering.borrow().job(ChunkBox { bounds, picks: &picks, lengths, column, chunk_bytes })
}

#[later]
fn put_reduced(_: Loaded<Answers>, reduced: &Reduced<'_>, task: &Task, packed: &[u8]) -> Result<()> {
    let boxes = bounds(&task.selection, reduced.plan.lengths());
    let mut gathering = reduced.gathering.borrow_mut();
    boxes.iter().try_for_each(|bounds| gathering.put_reduced(bounds, packed))
}

#[later]
fn put(_: Loaded<Answers>, reduced: &Reduced<'_>, task: &Task, chunk: Option<&Decoded<'_>>) -> Result<()> {
    let mut gathering = reduced.gathering.borrow_mut();
    let Some(chunk) = chunk else {
        // One item stands for all of them, however large the chunk or the shard is.
        let one = Task { selection: first_item(&task.selection), ..task.clone() };
        for part in reduced.plan.boxes(&one, None)? {
            for bounds in bounds(&task.selection, reduced.plan.lengths()) {
                gathering.put(&bounds, BoxItems::Filled(&part.columns[0].bytes))?;
            }
        }
        return Ok(());
    };
    for part in reduced.plan.boxes(task, Some(chunk))? {
        gathering.put(&part.bounds, BoxItems::Stored(&part.columns[0].bytes))?;
    }
    Ok(())
}

/// A selection of one item.
fn first_item(selection: &ChunkSelection) -> ChunkSelection {
    let ChunkSelection::Axes(axes) = selection else { return selection.clone() };
    ChunkSelection::whole(&vec![1; axes.len()])
}

/// The boxes of the result that a selection from a chunk fills.
fn bounds(selection: &ChunkSelection, lengths: &[Option<u64>]) -> Vec<Bounds> {
    let ChunkSelection::Axes(axes) = selection else { return Vec::new() };
    let mut boxes = vec![Vec::new()];
    for (picks, _) in axes.iter().zip(lengths).filter(|(_, length)| length.is_some()) {
        let stretches = AxisIndexer::stretches(picks);
        let longer = boxes.iter().flat_map(|head: &Bounds| {
            let ends = stretches.iter().map(|(start, picks)| (*start, start + picks.count()));
            ends.map(move |part| [head.as_slice(), &[part]].concat())
        });
        boxes = longer.collect();
    }
    boxes
}
