//! Answers: statistics of the items that a selection picks, made from chunks as they are decoded, in bounded memory.
//!
//! Nothing here requests or decodes: a read hands over each chunk's items with their bounds in the selection, in any
//! order, and takes the answer at the end.
//! Invariant: the answer depends on the items, the grid and the selection alone, to the last bit. Chunks that arrive
//! early wait, or become a smaller partial result, until it is their turn.

mod gathering;
mod picked;
mod reduce;
mod turns;
mod zonal;
pub mod zones;

pub use self::gathering::Gathering;
pub use self::picked::PickedItems;
pub use self::reduce::{
    AnswerColumn, BoxItems, Cells, ChunkBox, Counting, Groups, Reduction, ReductionSettings, Statistics,
    Weights, reduced_apart,
};
pub use self::turns::Bounds;
pub use self::zonal::ZonalReduction;
