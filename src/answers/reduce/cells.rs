//! Cells of an answer: the places along the axes that are kept, times the groups of labels.
//!
//! Invariants: each item of the selection belongs to one cell or to none. Within a tile, which is the part of the answer
//! that the chunks of one column fill, a cell's number is its place along the kept axes in C order, times the number of
//! groups, plus its group.

use crate::error::{Error, Result};

/// Group of an item that belongs to none.
pub(super) const NO_GROUP: u32 = u32::MAX;

/// Groups of items by their places along some axes.
#[derive(Debug, Clone)]
pub struct Groups {
    /// Step in `of` for a place along each axis; 0 along axes that say nothing of the group.
    pub strides: Vec<usize>,
    /// Group of each place; `u32::MAX` for none.
    pub of: Vec<u32>,
    /// Number of groups.
    pub count: usize,
}

/// Weights of items by their places along some axes.
#[derive(Debug, Clone)]
pub struct Weights {
    /// Step in `of` for a place along each axis; 0 along axes that say nothing of the weight.
    pub strides: Vec<usize>,
    /// Weight of each place.
    pub of: Vec<f64>,
}

/// Which cell of the answer an item belongs to.
#[derive(Debug, Clone)]
pub struct Cells {
    /// Length of the selection along each axis of its result.
    pub lengths: Vec<u64>,
    /// Whether each axis is an axis of the answer; the others are reduced.
    pub kept: Vec<bool>,
    /// Groups, which are one more axis of the answer.
    pub groups: Option<Groups>,
    /// Weights.
    pub weights: Option<Weights>,
}

impl Cells {
    /// Checks lengths and numbers, which come from a caller.
    ///
    /// # Errors
    /// [`Error::Selection`] where a list has another length than the axes need, or names a group that there is not.
    pub fn checked(self) -> Result<Self> {
        let wrong = |reason: String| Err(Error::Selection { axis: None, reason });
        if self.kept.len() != self.lengths.len() {
            return wrong(format!(
                "expected {} axes that are kept or reduced, got {}",
                self.lengths.len(),
                self.kept.len()
            ));
        }
        let needed = |strides: &[usize]| {
            let along = self.lengths.iter().zip(strides);
            along
                .map(|(length, stride)| (length.saturating_sub(1)).saturating_mul(*stride as u64))
                .fold(1, u64::saturating_add)
        };
        let is_empty = self.lengths.contains(&0);
        if let Some(Weights { strides, of }) = &self.weights
            && (strides.len() != self.lengths.len() || !is_empty && needed(strides) > of.len() as u64)
        {
            return wrong(format!("expected {} weights, got {}", needed(strides), of.len()));
        }
        if let Some(Groups { strides, of, count }) = &self.groups {
            if strides.len() != self.lengths.len() || !is_empty && needed(strides) > of.len() as u64 {
                return wrong(format!("expected groups of {} places, got {}", needed(strides), of.len()));
            }
            if let Some(group) = of.iter().find(|group| **group != NO_GROUP && **group as usize >= *count) {
                return wrong(format!("there is no group {group} among {count}"));
            }
        }
        Ok(self)
    }

    /// Lengths of the answer along the kept axes.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        self.lengths.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(length, _)| *length).collect()
    }

    /// Number of groups; 1 without groups.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.groups.as_ref().map_or(1, |groups| groups.count)
    }

    /// Number of cells of the whole answer; saturates at `u64::MAX`.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.shape().into_iter().fold(self.group_count() as u64, u64::saturating_mul)
    }

    /// Step of an item's number among those that are reduced to one cell, for a place along each axis; 0 along kept
    /// axes.
    pub(super) fn reduced_strides(&self) -> Vec<u64> {
        let mut strides = vec![0; self.lengths.len()];
        let mut step = 1u64;
        for axis in (0..strides.len()).rev().filter(|axis| !self.kept[*axis]) {
            strides[axis] = step;
            step = step.saturating_mul(self.lengths[axis]);
        }
        strides
    }
}

/// The part of an answer that the chunks of one column fill: a range along each axis, whole along reduced ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tile {
    /// Start and stop along each axis of the selection's result.
    pub(super) bounds: Vec<(u64, u64)>,
}

impl Tile {
    /// Step of a cell's number for a place along each axis; 0 along reduced axes.
    pub(super) fn strides(&self, cells: &Cells) -> Vec<usize> {
        let mut strides = vec![0; self.bounds.len()];
        let mut step = cells.group_count();
        for axis in (0..strides.len()).rev().filter(|axis| cells.kept[*axis]) {
            strides[axis] = step;
            step = step.saturating_mul((self.bounds[axis].1 - self.bounds[axis].0) as usize);
        }
        strides
    }

    /// Number of cells, with their groups.
    pub(super) fn cells(&self, cells: &Cells) -> usize {
        let kept = self.bounds.iter().zip(&cells.kept).filter(|(_, kept)| **kept);
        kept.map(|((start, stop), _)| (stop - start) as usize)
            .fold(cells.group_count(), usize::saturating_mul)
    }
}
