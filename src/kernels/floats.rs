//! Floats of 64 bits in a row: what is missing made NaN, scaled, the least and the greatest found.

use crate::numeric::Numeric;
use crate::vector::Floats;

/// Makes those numbers NaN that equal this one.
#[inline(never)]
pub fn mask(floats: &mut [f64], missing: f64) {
    floats.iter_mut().for_each(|float| *float = if *float == missing { f64::NAN } else { *float });
}

/// Multiplies numbers by the one and adds the other.
#[inline(never)]
pub fn scale(floats: &mut [f64], by: f64, plus: f64) {
    floats.iter_mut().for_each(|float| *float = *float * by + plus);
}

/// Like [`scale`], in the precision of a smaller float: each step is rounded to it.
#[inline(never)]
pub fn scale_in(floats: &mut [f64], by: f64, plus: f64, precision: Numeric) {
    let [by, plus] = [by, plus].map(|factor| precision.rounded(factor));
    let scaled = |float: f64| precision.rounded(precision.rounded(float * by) + plus);
    floats.iter_mut().for_each(|float| *float = scaled(*float));
}

/// The least and the greatest of these two and of numbers, NaN left out.
#[inline(never)]
#[must_use]
pub fn extremes(floats: &[f64], (least, greatest): (f64, f64)) -> (f64, f64) {
    // Two at a time, and two of these of which none waits for the other. A comparison with NaN is false, so NaN is never
    // taken.
    let (mut low, mut high) = ([Floats::load([least; 2]); 2], [Floats::load([greatest; 2]); 2]);
    let (fours, rest) = floats.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        for (lane, pair) in [[a, b], [c, d]].into_iter().map(Floats::load).enumerate() {
            low[lane] = low[lane].or_less(pair);
            high[lane] = high[lane].or_greater(pair);
        }
    }
    // Both leave NaN out too.
    let low = low.into_iter().flat_map(Floats::floats).chain(rest.iter().copied());
    let high = high.into_iter().flat_map(Floats::floats).chain(rest.iter().copied());
    (low.fold(least, f64::min), high.fold(greatest, f64::max))
}

/// Makes of each number its level between 0 and 255, where the first is on level 0 and there are so many levels for each
/// one above it; NaN is on level 0.
#[inline(never)]
pub fn level(floats: &mut [f64], least: f64, levels: f64) {
    let level = |float: f64| ((float - least) * levels + 0.5).clamp(0.0, 255.0);
    floats.iter_mut().for_each(|float| *float = if float.is_nan() { 0.0 } else { level(*float) });
}

/// The integers that are left of numbers without their fractions.
#[inline(never)]
#[expect(clippy::cast_possible_truncation, reason = "callers see to it that the integers hold them")]
pub fn truncate(floats: &[f64], integers: &mut [i64]) {
    integers.iter_mut().zip(floats).for_each(|(integer, float)| *integer = *float as i64);
}

/// The first number that is not between these two without its fraction.
#[inline(never)]
#[must_use]
pub fn first_outside(floats: &[f64], (least, greatest): (f64, f64)) -> Option<f64> {
    floats.iter().copied().find(|float| !(least..=greatest).contains(&float.trunc()))
}
