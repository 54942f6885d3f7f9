//! Range of the numbers of a cast: minimum, maximum, and the first number that does not fit.

use rectilinear_zarr_kernels::floats::extremes;

use super::scalar::Scalar;

/// Range of the numbers that a cast has processed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeTracker {
    pub(crate) least: f64,
    pub(crate) greatest: f64,
    /// The first number that the target cannot hold.
    pub misfit: Option<Scalar>,
}

impl Default for RangeTracker {
    fn default() -> Self {
        Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY, misfit: None }
    }
}

impl RangeTracker {
    pub(crate) fn take_all(&mut self, floats: &[f64]) {
        (self.least, self.greatest) = extremes(floats, (self.least, self.greatest));
    }

    pub(crate) fn take(&mut self, float: f64) {
        self.least = if float < self.least { float } else { self.least };
        self.greatest = if float > self.greatest { float } else { self.greatest };
    }
}
