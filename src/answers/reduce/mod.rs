//! Reductions: count, sum, mean, variance, extremes, histogram and held values of the items in each cell of an answer.
//!
//! `cells` says which cell of the answer an item belongs to, `accumulators` hold what is known of each cell, `fold` adds
//! a box of items to them in blocks, and `reduction` does so in the order of their turns. A `box_job` is the same work for
//! a worker.

mod accumulators;
mod block;
mod box_job;
mod cells;
mod column;
mod counting;
mod extremes;
mod fold;
mod moments;
mod reduction;

pub use self::accumulators::Statistics;
pub(super) use self::box_job::mixed;
pub use self::box_job::{ChunkBox, reduced_apart};
pub use self::cells::{Cells, Groups, Weights};
pub use self::column::AnswerColumn;
pub use self::counting::Counting;
pub use self::fold::BoxItems;
pub use self::reduction::{Reduction, ReductionSettings};
