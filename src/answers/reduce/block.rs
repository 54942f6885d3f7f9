//! Blocks: items that are neighbours along the innermost axis, and the cells that they belong to.

/// A block of items, which are neighbours along the innermost axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) floats: &'a [f64],
    /// The items as integers, of integer types only.
    pub(super) integers: &'a [i64],
    pub(super) weights: Option<&'a [f64]>,
    /// Number of the first item among those that are reduced to a cell, and the step to that of the next one.
    pub(super) first: u64,
    pub(super) step: u64,
}

/// The cells of a block's items.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target<'a> {
    /// All belong to one.
    One(usize),
    /// Each belongs to the next one.
    Run(usize),
    /// Each has its own, or `u32::MAX` for none.
    Each(&'a [u32]),
}

impl Target<'_> {
    /// Calls `take` with the place of each item in the block and with its cell.
    pub(super) fn each(self, items: usize, mut take: impl FnMut(usize, usize)) {
        match self {
            Self::One(cell) => (0..items).for_each(|place| take(place, cell)),
            Self::Run(cell) => (0..items).for_each(|place| take(place, cell + place)),
            Self::Each(cells) => {
                let own = cells.iter().enumerate().filter(|(_, cell)| **cell != u32::MAX);
                own.for_each(|(place, cell)| take(place, *cell as usize));
            }
        }
    }
}
