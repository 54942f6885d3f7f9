//! Counting by leading bits: how many values of each cell begin with which bits, from which exact quantiles are found in
//! a pass or a few, without holding the values.
//!
//! Invariant: keys sort as the values do, so the value of a rank lies in the first group of keys whose numbers, added up,
//! exceed the rank.

use rectilinear_zarr_kernels::numeric::Numeric;

use super::block::{Block, Target};

/// One pass of counting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counting {
    /// Number of bits that earlier passes have found.
    pub known: u32,
    /// Number of bits that this pass finds, at most 22.
    pub bits: u32,
    /// For each cell, the leading bits that values must begin with; one entry without bits in the first pass.
    pub prefixes: Vec<Vec<u64>>,
}

impl Counting {
    /// Bits of the keys of values of a type.
    #[must_use]
    pub fn key_bits(numeric: Numeric) -> u32 {
        match numeric {
            Numeric::Float(64) | Numeric::Int(64) | Numeric::UInt(64) => 64,
            _ => 32,
        }
    }
}

/// Numbers of values by cell, by leading bits that are known, and by the bits that follow these.
#[derive(Debug, Clone)]
pub(super) struct Counters {
    counting: Counting,
    numeric: Numeric,
    /// Index of the first counter of each cell.
    starts: Vec<usize>,
    counts: Vec<u64>,
}

impl Counters {
    pub(super) fn new(counting: &Counting, numeric: Numeric, cells: usize) -> Self {
        let groups = |cell: usize| counting.prefixes.get(cell).map_or(0, Vec::len);
        let mut starts = Vec::with_capacity(cells);
        let mut end = 0;
        for cell in 0..cells {
            starts.push(end);
            end += groups(cell) << counting.bits;
        }
        Self { counting: counting.clone(), numeric, starts, counts: vec![0; end] }
    }

    pub(super) fn size(&self) -> usize {
        8 * (self.counts.len() + self.starts.len())
    }

    pub(super) fn add(&mut self, target: Target<'_>, block: Block<'_>) {
        target.each(block.floats.len(), |place, cell| {
            let integer = block.integers.get(place).copied().unwrap_or_default();
            self.count(cell, block.floats[place], integer, 1);
        });
    }

    /// Counts items of a cell that are all the same.
    pub(super) fn add_same(&mut self, cell: usize, block: Block<'_>, items: u64) {
        self.count(cell, block.floats[0], block.integers.first().copied().unwrap_or_default(), items);
    }

    fn count(&mut self, cell: usize, float: f64, integer: i64, items: u64) {
        if float.is_nan() {
            return;
        }
        let Self { counting, numeric, starts, counts } = self;
        let width = Counting::key_bits(*numeric);
        let (known, bits) = (counting.known, counting.bits);
        let key = key(*numeric, float, integer);
        let prefix = if known == 0 { 0 } else { key >> (width - known) };
        let Some(nth) = counting.prefixes[cell].iter().position(|own| *own == prefix) else { return };
        let next = (key >> (width - known - bits)) & ((1 << bits) - 1);
        counts[starts[cell] + (nth << bits) + next as usize] += items;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| *own += *other);
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers of items are below 2^53")]
    pub(super) fn counts(&self) -> Vec<f64> {
        self.counts.iter().map(|count| *count as f64).collect()
    }
}

/// The key of a value: an integer that sorts as the value does. `valueOf` of `src/web/answers/quantiles.js` is its inverse.
///
/// `-0.0` and `0.0` have one key.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "exact: the item's own type")]
fn key(numeric: Numeric, float: f64, integer: i64) -> u64 {
    match numeric {
        Numeric::Float(64) => {
            let bits = (float + 0.0).to_bits();
            if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
        }
        Numeric::Float(_) => {
            let bits = (float as f32 + 0.0).to_bits();
            u64::from(if bits >> 31 == 1 { !bits } else { bits | 1 << 31 })
        }
        Numeric::UInt(64) => integer.cast_unsigned(),
        Numeric::Int(64) => integer.cast_unsigned() ^ (1 << 63),
        _ => (float + 2f64.powi(31)) as u64,
    }
}
