//! Loops over `f64` values: masking to NaN, scaling, minimum and maximum, levels, and truncation.

use crate::numeric::Numeric;
use crate::vector::Floats;

/// Replaces numbers that equal `missing` by NaN.
#[inline(never)]
pub fn mask(floats: &mut [f64], missing: f64) {
    floats.iter_mut().for_each(|float| *float = if *float == missing { f64::NAN } else { *float });
}

/// Multiplies numbers by `by`, then adds `plus`.
#[inline(never)]
pub fn scale(floats: &mut [f64], by: f64, plus: f64) {
    floats.iter_mut().for_each(|float| *float = *float * by + plus);
}

/// Like [`scale`], with the numbers and each step rounded to the precision of a smaller float.
#[inline(never)]
pub fn scale_in(floats: &mut [f64], by: f64, plus: f64, precision: Numeric) {
    let [by, plus] = [by, plus].map(|factor| precision.rounded(factor));
    let scaled = |float: f64| precision.rounded(precision.rounded(precision.rounded(float) * by) + plus);
    floats.iter_mut().for_each(|float| *float = scaled(*float));
}

/// The minimum and maximum of these floats and of a given range, ignoring NaN.
#[inline(never)]
#[must_use]
pub fn extremes(floats: &[f64], (least, greatest): (f64, f64)) -> (f64, f64) {
    // Two vectors of two floats that do not depend on each other. Comparisons with NaN are false, so NaN is never
    // taken.
    let (mut low, mut high) = ([Floats::load([least; 2]); 2], [Floats::load([greatest; 2]); 2]);
    let (fours, rest) = floats.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        for (lane, pair) in [[a, b], [c, d]].into_iter().map(Floats::load).enumerate() {
            low[lane] = low[lane].or_less(pair);
            high[lane] = high[lane].or_greater(pair);
        }
    }
    // `f64::min` and `f64::max` ignore NaN too.
    let low = low.into_iter().flat_map(Floats::floats).chain(rest.iter().copied());
    let high = high.into_iter().flat_map(Floats::floats).chain(rest.iter().copied());
    (low.fold(least, f64::min), high.fold(greatest, f64::max))
}

/// Replaces each number by its level from 0 to 255: `least` is level 0, and a difference of 1 is `levels` levels; NaN
/// is level 0.
#[inline(never)]
pub fn level(floats: &mut [f64], least: f64, levels: f64) {
    let level = |float: f64| ((float - least) * levels + 0.5).clamp(0.0, 255.0);
    floats.iter_mut().for_each(|float| *float = if float.is_nan() { 0.0 } else { level(*float) });
}

/// Converts floats to integers by dropping their fractions.
#[inline(never)]
#[expect(clippy::cast_possible_truncation, reason = "callers check that the numbers fit")]
pub fn truncate(floats: &[f64], integers: &mut [i64]) {
    integers.iter_mut().zip(floats).for_each(|(integer, float)| *integer = *float as i64);
}

/// The first number that lies outside a range once its fraction is dropped.
#[inline(never)]
#[must_use]
pub fn first_outside(floats: &[f64], (least, greatest): (f64, f64)) -> Option<f64> {
    floats.iter().copied().find(|float| !(least..=greatest).contains(&float.trunc()))
}
