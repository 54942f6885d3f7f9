//! Conversion of `f64` to the nearest `f16`, ties to even.
//!
//! `half::f16::from_f64` is not used: depending on the target, it ignores the low 32 bits, or rounds twice by way of
//! `f32`.

use half::f16;

/// The nearest `f16`, ties to even. The intermediate `f32` is rounded to odd, so that the result is rounded only once.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what is meant")]
pub fn nearest_half(float: f64) -> f16 {
    let single = float as f32;
    let nearest = f64::from(single);
    if nearest == float || !single.is_finite() {
        return f16::from_f32(single);
    }
    let towards_zero = single.to_bits() - u32::from(nearest.abs() > float.abs());
    f16::from_f32(f32::from_bits(towards_zero | 1))
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::nearest_half;

    #[test]
    fn adversarial_values_are_what_numpy_makes_of_them() {
        let tiny = 2f64.powi(-50);
        // Each with the bits of numpy.float16(value).
        let cases = [
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 2f64.powi(-11) + tiny, 0x3c01),
            (1.0 + 3.0 * 2f64.powi(-11) - tiny, 0x3c01),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            (-1.0 - 2f64.powi(-11) - tiny, 0xbc01),
            (2f64.powi(-25), 0x0000),
            (2f64.powi(-25) * (1.0 + tiny), 0x0001),
            (-(2f64.powi(-25)) * (1.0 + tiny), 0x8001),
            (2f64.powi(-26), 0x0000),
            (65_519.999_999_999_9, 0x7bff),
            (65_520.0, 0x7c00),
            (1e300, 0x7c00),
            (-1e300, 0xfc00),
            (1e-300, 0x0000),
            (-0.0, 0x8000),
            (f64::NEG_INFINITY, 0xfc00),
        ];
        for (value, bits) in cases {
            assert_eq!(nearest_half(value).to_bits(), bits, "{value:e}");
        }
        assert!(nearest_half(f64::NAN).is_nan());
    }

    #[test]
    fn halfway_goes_to_the_even_one_and_no_bit_is_too_low_to_count() {
        for bits in 0..0x7bff {
            let [low, high] = [bits, bits + 1].map(|bits| f16::from_bits(bits).to_f64());
            let middle = f64::midpoint(low, high);
            let even = if bits % 2 == 0 { bits } else { bits + 1 };
            assert_eq!(nearest_half(middle).to_bits(), even, "{middle:e}");
            assert_eq!(nearest_half(middle.next_down()).to_bits(), bits, "below {middle:e}");
            assert_eq!(nearest_half(middle.next_up()).to_bits(), bits + 1, "above {middle:e}");
            assert_eq!(nearest_half(-middle.next_up()).to_bits(), 0x8000 | (bits + 1), "below -{middle:e}");
        }
    }
}
