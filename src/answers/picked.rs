//! Picked items: the type of the items that a plan reads, and where they lie in the array.

use crate::error::{Error, Result};
use crate::grid::{AxisIndexer, ChunkGrid, ChunkSelection};
use crate::metadata::DataType;
use crate::output::Numeric;
use crate::read::Plan;

/// Items that a plan reads: one column, selected along axes.
#[derive(Debug, Clone, Copy)]
pub struct PickedItems<'a> {
    /// Data type of the items, before they are converted.
    pub data_type: &'a DataType,
    /// Number type that items are converted to, if they are.
    pub converted: Option<Numeric>,
    /// Coordinates that are picked along each axis of the array.
    pub picks: &'a [AxisIndexer],
    /// Grid of the chunks that are decoded one by one.
    pub chunks: &'a ChunkGrid,
    /// Grid of the stored chunks.
    pub stored: &'a ChunkGrid,
    /// Length along each axis of the array; `None` where an integer drops it.
    pub lengths: &'a [Option<u64>],
}

impl<'a> PickedItems<'a> {
    /// The items that a plan reads.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for several fields, and for points.
    pub fn of(plan: &'a Plan<'_>) -> Result<Self> {
        let (ChunkSelection::Axes(picks), [column]) = (plan.selection(), plan.columns()) else {
            return Err(Error::Unsupported {
                feature: "statistics of several fields".to_owned(),
                reason: "name one field in the option fields".to_owned(),
            });
        };
        let array = plan.array();
        Ok(Self {
            data_type: &column.data_type,
            converted: column.cast.as_ref().map(|cast| cast.target()),
            picks,
            chunks: array.read_grid(),
            stored: &array.metadata.chunk_grid,
            lengths: plan.lengths(),
        })
    }
}
