//! Edges of cells along an axis, rising or falling.
//!
//! Invariant: edges are finite and strictly monotone; inside, they rise.

use std::fmt::Display;

use super::features::is_place;
use crate::error::{Error, Result};

/// Edges of the cells along one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct CellEdges {
    rising: Vec<f64>,
    is_falling: bool,
}

fn wrong(name: &str, reason: impl Display) -> Error {
    Error::Selection { axis: None, reason: format!("the cell edges along {name}: {reason}") }
}

impl CellEdges {
    /// Edges of cells: one more than there are cells. `name` is the axis in messages.
    ///
    /// # Errors
    /// [`Error::Selection`] for fewer than two edges, one that is not finite, or edges that neither rise nor fall.
    pub fn checked(name: &str, mut edges: Vec<f64>) -> Result<Self> {
        if edges.len() < 2 || edges.len() > u32::MAX as usize {
            return Err(wrong(
                name,
                format_args!("expected at least 2 and fewer than 2^32, got {}", edges.len()),
            ));
        }
        if let Some(at) = edges.iter().position(|edge| !is_place(*edge)) {
            return Err(wrong(name, format_args!("number {at} is {}, which is no place", edges[at])));
        }
        let is_falling = edges[1] < edges[0];
        if is_falling {
            edges.reverse();
        }
        if let Some(at) = edges.windows(2).position(|pair| pair[1] <= pair[0]) {
            let (one, next) = (edges[at], edges[at + 1]);
            return Err(wrong(
                name,
                format_args!("they must rise or fall from each to the next, but {one} is beside {next}"),
            ));
        }
        Ok(Self { rising: edges, is_falling })
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rising.len() - 1
    }

    /// The edges, rising.
    pub(super) fn rising(&self) -> &[f64] {
        &self.rising
    }

    /// The least and the greatest edge.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.rising[0], self.rising[self.cells()])
    }

    /// Number, among the rising cells, of the cell that begins at or before a value; the first or the last one beyond
    /// the ends.
    pub(super) fn cell_of(&self, value: f64) -> usize {
        self.rising.partition_point(|edge| *edge <= value).saturating_sub(1).min(self.cells() - 1)
    }

    /// Turns a range of rising cells into one of the axis' own.
    pub(super) fn own(&self, from: usize, to: usize) -> (usize, usize) {
        if self.is_falling { (self.cells() - to, self.cells() - from) } else { (from, to) }
    }
}
