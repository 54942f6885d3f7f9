//! The order in which chunks are asked for, where it is not the grid's: from the middle of the result outwards.

use crate::grid::ChunkSelection;
use crate::read::plan::Plan;
use crate::read::tasks::task::Task;

/// The most tasks that are put in order: 65,536.
///
/// The reason: they must all be listed first. A read of more is in grid order.
pub const MAX_ORDERED_TASKS: u64 = 1 << 16;

/// How far a task's part lies from the middle of a plan's result: a measure to order by. Points have no middle.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "an ordering needs no last digit")]
pub fn distance(task: &Task, plan: &Plan<'_>) -> f64 {
    let ChunkSelection::Axes(axes) = &task.wanted else { return 0.0 };
    let middle = |length: &Option<u64>| length.unwrap_or(1) as f64 / 2.0;
    axes.iter().zip(plan.lengths()).map(|(picks, length)| (picks.middle() - middle(length)).powi(2)).sum()
}
