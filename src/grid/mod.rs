//! Integers only: how chunks lie along each axis, what a selection picks, and which part of which chunk that is.
//!
//! Regular and rectilinear grids differ in how many runs an [`Axis`] has and in nothing else.
//! Coordinates and counts are `u64`, at most [`MAX_COORDINATE`].

mod axis;
mod axis_error;
mod axis_indexer;
mod chunk_grid;
mod chunk_selection;
mod encoded;
mod joined;
mod point_selection;
mod projection;
mod selection;
mod sorted;

pub use self::axis_indexer::{AxisIndexer, Pick, PickList};
pub use self::chunk_selection::{ChunkPart, ChunkSelection};
pub use self::point_selection::PointSelection;
pub use axis::{Axis, ChunkSpan, Run};
pub use axis_error::AxisError;
pub use chunk_grid::{ChunkGrid, Located};
pub use projection::{AxisProjections, ChunkProjections, Projection};
pub use selection::{AxisSelection, NormalizedAxis, normalise};
pub use sorted::sorted_by_number;

/// The largest extent, edge or sum of edges: 2^53 - 1, the last integer that JavaScript's numbers hold exactly.
///
/// The reason is the interface: shapes, bounds and runs are handed over as numbers, and a larger
/// one would be silently wrong there.
pub const MAX_COORDINATE: u64 = (1 << 53) - 1;
