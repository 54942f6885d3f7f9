//! Partial features: what cells keep of a feature while its polygons are laid over them.

use super::features::wrong;
use crate::error::Result;

/// Shares of cells in one feature, and the work spent on it so far.
#[derive(Debug, Default)]
pub(super) struct Partial {
    /// Shares of cells by their numbers.
    pub(super) shares: Vec<(u32, f64)>,
    /// Vertices that were visited or cut.
    pub(super) steps: u64,
}

impl Partial {
    /// Refuses a feature for which more than so many vertices would be visited.
    pub(super) fn check(&self, feature: usize, most: u64) -> Result<()> {
        if self.steps > most {
            return Err(wrong(feature, "its rings have too many vertices for so many cells: simplify it"));
        }
        Ok(())
    }
}
