//! Order of requests from the middle of the result outwards, in place of grid order.

use crate::grid::ChunkSelection;
use crate::read::plan::Plan;
use crate::read::tasks::task::Task;

/// Most tasks that are sorted: 65,536.
///
/// All tasks must be listed before the first request; a read with more tasks is in grid order.
pub const MAX_ORDERED_TASKS: u64 = 1 << 16;

/// Squared distance of a task's part from the middle of the result, as a sort key; 0 for points.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "an ordering needs no last digit")]
pub fn distance(task: &Task, plan: &Plan<'_>) -> f64 {
    let ChunkSelection::Axes(axes) = &task.selection else { return 0.0 };
    let middle = |length: &Option<u64>| length.unwrap_or(1) as f64 / 2.0;
    axes.iter().zip(plan.lengths()).map(|(picks, length)| (picks.middle() - middle(length)).powi(2)).sum()
}
