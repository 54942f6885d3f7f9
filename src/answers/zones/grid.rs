//! A grid of cells between sorted edges, and the shares that features have in it.

use super::cover::cover;
use super::edges::CellEdges;
use super::features::Features;
use super::loops::Loop;
use super::rings::loops_of;
use super::spans::Spans;
use crate::error::Result;

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
    /// Spans of cells with their shares, for each feature. A cell's share is the part of its area that the feature's
    /// polygons cover: holes subtract whatever their winding, polygons add, and a ring that crosses itself counts every
    /// place that it winds around once.
    ///
    /// # Errors
    /// [`Error::Selection`], naming the feature, where a ring crosses itself too often, where a coordinate is no degree
    /// in a grid of degrees, or where the features cover too many cells.
    pub fn spans(&self, features: &Features) -> Result<Spans> {
        let mut spans = Spans::default();
        for feature in 0..features.count() {
            for polygon in features.polygons(feature) {
                let loops = self.loops(feature, &polygon)?;
                cover(feature, &loops, &self.rows, &self.columns, &mut spans)?;
            }
            spans.end_feature();
        }
        Ok(spans)
    }

    /// Loops of a polygon that cover the grid: those of its first ring add, those of the others subtract.
    fn loops(&self, feature: usize, polygon: &[&[[f64; 2]]]) -> Result<Vec<Loop>> {
        let range = self.columns.range();
        let mut found = Vec::new();
        for (nth, ring) in polygon.iter().enumerate() {
            for mut own in loops_of(feature, ring, self.is_degrees, self.unwraps)? {
                own.sign *= if nth == 0 { 1 } else { -1 };
                found.extend(if self.is_degrees { own.repeated(range) } else { vec![own] });
            }
        }
        Ok(found)
    }
}
