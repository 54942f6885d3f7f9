//! Integers only: the chunks along each axis, selections, and the part of each chunk that a selection picks.
//!
//! Regular and rectilinear grids differ only in the number of runs that an [`Axis`] has.
//! Coordinates and counts are `u64`, at most [`MAX_COORDINATE`].

mod axis;
mod axis_indexer;
mod chunk_grid;
mod chunk_selection;
mod point_selection;
mod selection;

pub use self::axis_indexer::{AxisIndexer, Pick, PickList, sorted_by_number};
pub use self::chunk_selection::{AxisProjections, ChunkPart, ChunkProjections, ChunkSelection, Projection};
pub use self::point_selection::PointSelection;
pub use axis::{Axis, AxisError, ChunkSpan, Run};
pub use chunk_grid::{ChunkGrid, Located};
pub use selection::{AxisSelection, NormalizedAxis, normalise};

/// The largest extent, edge or sum of edges: 2^53 - 1, the last integer that JavaScript's numbers hold exactly.
///
/// The reason: JavaScript receives shapes, bounds and runs as numbers, which would silently round larger values.
pub const MAX_COORDINATE: u64 = (1 << 53) - 1;
