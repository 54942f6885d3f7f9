//! A grid of cells between sorted edges, and the shares that features have in it.

use super::edges::CellEdges;

/// Cells between sorted edges along two axes.
#[derive(Debug, Clone)]
pub struct ZoneGrid {
    /// Edges along the axis of y.
    pub rows: CellEdges,
    /// Edges along the axis of x.
    pub columns: CellEdges,
    /// Whether x and y are degrees of longitude and latitude, so that rings go on across 180 degrees and around poles.
    pub is_degrees: bool,
    /// Whether a step of more than 180 degrees between two vertices goes the short way round.
    pub unwraps: bool,
}

impl ZoneGrid {
    /// Longitudes over which loops are repeated.
    pub(super) fn range(&self) -> (f64, f64) {
        self.columns.range()
    }
}
