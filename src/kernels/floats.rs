//! Floats of 64 bits in a row: what is missing made NaN, scaled, the least and the greatest found.

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

/// The least and the greatest of these two and of numbers, NaN left out.
#[inline(never)]
#[must_use]
pub fn extremes(floats: &[f64], (least, greatest): (f64, f64)) -> (f64, f64) {
    // In lanes, as a processor has them. A comparison with NaN is false, so NaN is never taken.
    let (mut low, mut high) = ([least; 4], [greatest; 4]);
    let (fours, rest) = floats.as_chunks::<4>();
    for four in fours {
        for (lane, &float) in four.iter().enumerate() {
            low[lane] = if float < low[lane] { float } else { low[lane] };
            high[lane] = if float > high[lane] { float } else { high[lane] };
        }
    }
    // Both leave NaN out too.
    let (low, high) =
        (low.into_iter().chain(rest.iter().copied()), high.into_iter().chain(rest.iter().copied()));
    (low.fold(least, f64::min), high.fold(greatest, f64::max))
}
