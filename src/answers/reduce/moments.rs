//! Moments: the mean of each cell and the sum of squared deviations from it, merged as by Chan, Golub and LeVeque.
//!
//! Invariant: the squares of large numbers are never subtracted from one another.

use rectilinear_zarr_kernels::statistics::{squared_deviations, total};

use super::block::{Block, Target};
use crate::error::{Packer, Unpacker};

/// Weight, mean and sum of squared deviations of each cell.
#[derive(Debug, Clone)]
pub(super) struct Moments {
    weights: Vec<f64>,
    means: Vec<f64>,
    squares: Vec<f64>,
}

impl Moments {
    pub(super) fn new(cells: usize) -> Self {
        Self { weights: vec![0.0; cells], means: vec![0.0; cells], squares: vec![0.0; cells] }
    }

    /// Adds a block of items; NaN is left out if `skips` is set.
    #[expect(clippy::cast_precision_loss, reason = "a block has few items")]
    pub(super) fn add(&mut self, target: Target<'_>, block: Block<'_>, skips: bool) {
        if let (Target::One(cell), None) = (target, block.weights) {
            let (valid, sum) = total(block.floats, skips);
            let count = if skips { valid } else { block.floats.len() as u64 } as f64;
            if count > 0.0 {
                let mean = sum / count;
                self.join(cell, count, mean, squared_deviations(block.floats, mean, skips));
            }
            return;
        }
        target.each(block.floats.len(), |place, cell| {
            let (value, weight) = (block.floats[place], block.weights.map_or(1.0, |weights| weights[place]));
            if value.is_nan() {
                // Whatever its weight is.
                self.squares[cell] = if skips { self.squares[cell] } else { f64::NAN };
            } else if weight != 0.0 {
                self.join(cell, weight, value, 0.0);
            }
        });
    }

    /// Adds items of a cell that are all the same.
    #[expect(clippy::cast_precision_loss, reason = "numbers of items are below 2^53")]
    pub(super) fn add_same(&mut self, cell: usize, value: f64, items: u64, skips: bool) {
        if !value.is_nan() {
            self.join(cell, items as f64, value, 0.0);
        } else if !skips {
            self.squares[cell] = f64::NAN;
        }
    }

    /// Adds the moments of the same cells.
    pub(super) fn merge(&mut self, other: &Self) {
        for (cell, weight) in other.weights.iter().enumerate() {
            if *weight != 0.0 {
                self.join(cell, *weight, other.means[cell], other.squares[cell]);
            } else if other.squares[cell].is_nan() {
                self.squares[cell] = f64::NAN;
            }
        }
    }

    fn join(&mut self, cell: usize, weight: f64, mean: f64, squares: f64) {
        let (own, whole) = (self.weights[cell], self.weights[cell] + weight);
        let apart = mean - self.means[cell];
        self.means[cell] += apart * (weight / whole);
        self.squares[cell] += squares + apart * apart * (own * weight / whole);
        self.weights[cell] = whole;
    }

    pub(super) fn pack(&self, parts: &mut Packer) {
        for floats in [&self.weights, &self.means, &self.squares] {
            parts.each(floats.iter().map(|float| float.to_bits()));
        }
    }

    /// Takes the moments that were packed elsewhere, of as many cells.
    pub(super) fn unpack(&mut self, parts: &mut Unpacker<'_>) -> Option<()> {
        for floats in [&mut self.weights, &mut self.means, &mut self.squares] {
            for float in floats {
                *float = f64::from_bits(parts.number()?);
            }
        }
        Some(())
    }

    /// Sum of squared deviations over the weight less `ddof`; NaN where that is not above 0.
    pub(super) fn variances(&self, ddof: f64) -> Vec<f64> {
        let each = self.weights.iter().zip(&self.squares);
        each.map(|(weight, squares)| if *weight > ddof { squares / (weight - ddof) } else { f64::NAN })
            .collect()
    }
}
