//! Loops over `f64` values for statistics: sums, squared deviations and extremes of a row, and running ones of cells.
//!
//! Invariants: the order of additions depends on the number of values alone. NaN counts as no value where `skips` is set,
//! and makes a sum NaN where it is not.

use crate::numeric::BLOCK;

/// Number of running sums that do not depend on each other: enough for the processor to add them side by side.
const LANES: usize = 4;

/// Counts the values that are not NaN, and adds the values, skipping NaN if `skips` is set.
#[inline(never)]
#[must_use]
pub fn total(values: &[f64], skips: bool) -> (u64, f64) {
    if skips { pairwise::<true>(values) } else { pairwise::<false>(values) }
}

/// Sums by halves, so that the rounding error grows with the logarithm of their number.
fn pairwise<const SKIPS: bool>(values: &[f64]) -> (u64, f64) {
    if values.len() <= BLOCK {
        return block::<SKIPS>(values);
    }
    let half = values.len().div_ceil(2).next_multiple_of(BLOCK).min(values.len());
    let (head, tail) = values.split_at(half);
    let ((counted, sum), (more, added)) = (pairwise::<SKIPS>(head), pairwise::<SKIPS>(tail));
    (counted + more, sum + added)
}

fn block<const SKIPS: bool>(values: &[f64]) -> (u64, f64) {
    let (mut sums, mut counts) = ([0.0; LANES], [0u64; LANES]);
    let (rows, rest) = values.as_chunks::<LANES>();
    let mut add = |lane: usize, value: f64| {
        counts[lane] += u64::from(!value.is_nan());
        sums[lane] += if SKIPS && value.is_nan() { 0.0 } else { value };
    };
    for row in rows {
        for (lane, value) in row.iter().enumerate() {
            add(lane, *value);
        }
    }
    for (lane, value) in rest.iter().enumerate() {
        add(lane, *value);
    }
    ((counts[0] + counts[1]) + (counts[2] + counts[3]), (sums[0] + sums[1]) + (sums[2] + sums[3]))
}

/// Adds the squared deviations of the values from their mean, skipping NaN if `skips` is set.
#[inline(never)]
#[must_use]
pub fn squared_deviations(values: &[f64], mean: f64, skips: bool) -> f64 {
    let mut sums = [0.0; LANES];
    let (rows, rest) = values.as_chunks::<LANES>();
    let mut add = |lane: usize, value: f64| {
        let deviation = if skips && value.is_nan() { 0.0 } else { value - mean };
        sums[lane] += deviation * deviation;
    };
    for row in rows {
        for (lane, value) in row.iter().enumerate() {
            add(lane, *value);
        }
    }
    for (lane, value) in rest.iter().enumerate() {
        add(lane, *value);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// A running sum, and what was lost of its additions by rounding (Neumaier's compensation).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        let lost =
            if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        // Beyond the finite numbers, nothing is left to compensate.
        self.lost += if sum.is_finite() { lost } else { 0.0 };
        self.sum = sum;
    }

    /// Adds another sum.
    #[inline]
    pub fn merge(&mut self, other: Self) {
        self.add(other.sum);
        self.lost += other.lost;
    }

    /// The bits of the sum and of what was lost, for [`Sum::of_bits`].
    #[must_use]
    pub fn bits(self) -> [u64; 2] {
        [self.sum.to_bits(), self.lost.to_bits()]
    }

    /// The sum whose bits were taken elsewhere.
    #[must_use]
    pub fn of_bits([sum, lost]: [u64; 2]) -> Self {
        Self { sum: f64::from_bits(sum), lost: f64::from_bits(lost) }
    }

    /// The sum, rounded once.
    #[inline]
    #[must_use]
    pub fn value(self) -> f64 {
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// Adds each value to the sum of its cell, and counts it there unless it is NaN; NaN is not added if `skips` is set.
#[inline(never)]
pub fn add_each(values: &[f64], skips: bool, counts: &mut [u64], sums: &mut [Sum]) {
    for ((value, count), sum) in values.iter().zip(counts).zip(sums) {
        let is_nan = value.is_nan();
        *count += u64::from(!is_nan);
        if !(skips && is_nan) {
            sum.add(*value);
        }
    }
}

/// Place of the least (or, if `is_greatest` is set, the greatest) value that is not NaN, the first one of equals; `None`
/// where all are NaN.
#[inline(never)]
#[must_use]
pub fn extreme(values: &[f64], is_greatest: bool) -> Option<usize> {
    // Pass one has no branches that depend on places, pass two ends at the first equal value.
    let (least, greatest) = crate::floats::extremes(values, (f64::INFINITY, f64::NEG_INFINITY));
    let sought = if is_greatest { greatest } else { least };
    values.iter().position(|value| *value == sought)
}

/// Adds integers exactly.
#[inline(never)]
#[must_use]
pub fn integer_total(values: &[i64], is_unsigned: bool) -> i128 {
    // The high halves and the low halves apart, which cannot overflow for fewer than 2^31 values.
    let (mut high, mut low) = (0i64, 0u64);
    for value in values {
        high += if is_unsigned { (value.cast_unsigned() >> 32).cast_signed() } else { value >> 32 };
        low += value.cast_unsigned() & 0xffff_ffff;
    }
    (i128::from(high) << 32) + i128::from(low)
}

/// Sorts floats by size.
#[inline(never)]
pub fn sort(floats: &mut [f64]) {
    floats.sort_unstable_by(f64::total_cmp);
}
