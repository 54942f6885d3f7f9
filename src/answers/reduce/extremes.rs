//! Extremes: the least or the greatest item of each cell, and its number among the items of the cell.
//!
//! Invariant: of equal items the first counts, wherever its chunk lies.

use rectilinear_zarr_kernels::numeric::Numeric;
use rectilinear_zarr_kernels::statistics::extreme;

use super::block::{Block, Target};
use super::column::AnswerColumn;
use crate::error::{Packer, Unpacker};

/// Number of no item.
const NONE: u64 = u64::MAX;

/// The least or the greatest item of each cell.
#[derive(Debug, Clone)]
pub(super) struct Extremes {
    is_greatest: bool,
    /// Whether the least integer means not-a-time.
    are_times: bool,
    items: Items,
    /// Number of the item among those of its cell.
    at: Vec<u64>,
}

/// Items, 64-bit integers exactly.
#[derive(Debug, Clone)]
enum Items {
    Floats(Vec<f64>),
    Signed(Vec<i64>),
    Unsigned(Vec<u64>),
}

impl Extremes {
    pub(super) fn new(numeric: Numeric, cells: usize, is_greatest: bool, are_times: bool) -> Self {
        let items = match numeric {
            Numeric::Int(64) if are_times && is_greatest => Items::Signed(vec![i64::MAX; cells]),
            Numeric::Int(64) => Items::Signed(vec![if are_times { i64::MIN } else { 0 }; cells]),
            Numeric::UInt(64) => Items::Unsigned(vec![0; cells]),
            _ => Items::Floats(vec![f64::NAN; cells]),
        };
        Self { is_greatest, are_times, items, at: vec![NONE; cells] }
    }

    /// Takes in a block of items. Without `skips`, NaN and not-a-time are more extreme than any other.
    pub(super) fn add(&mut self, target: Target<'_>, block: Block<'_>, skips: bool) {
        let step = self.time_step();
        let Self { is_greatest, are_times, items, at } = self;
        let number = |place: usize| block.first + place as u64 * block.step;
        match items {
            Items::Floats(floats) => {
                if let Target::One(cell) = target {
                    let nan =
                        (!skips).then(|| block.floats.iter().position(|value| value.is_nan())).flatten();
                    if let Some(place) = nan.or_else(|| extreme(block.floats, *is_greatest)) {
                        take(floats, at, cell, *is_greatest, block.floats[place], number(place));
                    }
                    return;
                }
                target.each(block.floats.len(), |place, cell| {
                    let value = block.floats[place];
                    if !(skips && value.is_nan()) {
                        take(floats, at, cell, *is_greatest, value, number(place));
                    }
                });
            }
            Items::Signed(integers) => target.each(block.integers.len(), |place, cell| {
                let integer = block.integers[place];
                if !(skips && *are_times && integer == i64::MIN) {
                    take(integers, at, cell, *is_greatest, integer.wrapping_sub(step), number(place));
                }
            }),
            Items::Unsigned(integers) => target.each(block.integers.len(), |place, cell| {
                let integer = block.integers[place].cast_unsigned();
                take(integers, at, cell, *is_greatest, integer, number(place));
            }),
        }
    }

    /// A number to subtract from times before maxima are compared, which makes not-a-time, the least integer, the greatest
    /// one.
    fn time_step(&self) -> i64 {
        i64::from(self.are_times && self.is_greatest)
    }

    /// Takes in the extremes of the same cells.
    pub(super) fn merge(&mut self, other: &Self) {
        let Self { is_greatest, items, at, .. } = self;
        for (cell, number) in other.at.iter().enumerate().filter(|(_, number)| **number != NONE) {
            match (&mut *items, &other.items) {
                (Items::Floats(own), Items::Floats(other)) => {
                    take(own, at, cell, *is_greatest, other[cell], *number)
                }
                (Items::Signed(own), Items::Signed(other)) => {
                    take(own, at, cell, *is_greatest, other[cell], *number)
                }
                (Items::Unsigned(own), Items::Unsigned(other)) => {
                    take(own, at, cell, *is_greatest, other[cell], *number);
                }
                _ => {}
            }
        }
    }

    pub(super) fn pack(&self, parts: &mut Packer) {
        match &self.items {
            Items::Floats(floats) => parts.each(floats.iter().map(|float| float.to_bits())),
            Items::Signed(integers) => parts.each(integers.iter().map(|integer| integer.cast_unsigned())),
            Items::Unsigned(integers) => parts.each(integers.iter().copied()),
        };
        parts.each(self.at.iter().copied());
    }

    /// Takes the extremes that were packed elsewhere, of as many cells.
    pub(super) fn unpack(&mut self, parts: &mut Unpacker<'_>) -> Option<()> {
        for cell in 0..self.at.len() {
            let item = parts.number()?;
            match &mut self.items {
                Items::Floats(floats) => floats[cell] = f64::from_bits(item),
                Items::Signed(integers) => integers[cell] = item.cast_signed(),
                Items::Unsigned(integers) => integers[cell] = item,
            }
        }
        for at in &mut self.at {
            *at = parts.number()?;
        }
        Some(())
    }

    /// The items; NaN or not-a-time where a cell has none.
    pub(super) fn values(&self) -> AnswerColumn {
        match &self.items {
            Items::Floats(floats) => AnswerColumn::Floats(floats.clone()),
            Items::Signed(integers) => {
                let step = self.time_step();
                AnswerColumn::Integers(integers.iter().map(|integer| integer.wrapping_add(step)).collect())
            }
            Items::Unsigned(integers) => {
                AnswerColumn::Integers(integers.iter().map(|integer| integer.cast_signed()).collect())
            }
        }
    }

    /// Numbers of the items among those of their cells; NaN where a cell has none.
    #[expect(clippy::cast_precision_loss, reason = "positions are below 2^53")]
    pub(super) fn positions(&self) -> Vec<f64> {
        self.at.iter().map(|at| if *at == NONE { f64::NAN } else { *at as f64 }).collect()
    }
}

/// Takes an item in place of a cell's own where it is more extreme, or equal and earlier.
fn take<T: Copy + PartialOrd>(
    own: &mut [T],
    at: &mut [u64],
    cell: usize,
    is_greatest: bool,
    value: T,
    number: u64,
) {
    #[expect(clippy::eq_op, reason = "NaN alone differs from itself")]
    let is_nan = |value: T| value != value;
    let is_better = match (is_nan(value), is_nan(own[cell])) {
        _ if at[cell] == NONE => true,
        (true, false) => true,
        (false, true) => false,
        (true, true) => number < at[cell],
        (false, false) if value == own[cell] => number < at[cell],
        (false, false) => is_greatest == (value > own[cell]),
    };
    if is_better {
        (own[cell], at[cell]) = (value, number);
    }
}
