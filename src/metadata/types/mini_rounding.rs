//! Values as small floats: the numbers that a format has, and the nearest of them.

use super::mini_float::{MiniFloat, Special};

impl MiniFloat {
    /// Binary digits of a number, the leading one included.
    #[must_use]
    pub fn digits(self) -> u32 {
        self.mantissa_bits + 1
    }

    /// Exponent of the least positive number.
    #[must_use]
    pub fn least_exponent(self) -> i32 {
        self.normal_exponent() - self.mantissa_bits.cast_signed()
    }

    /// The greatest finite number.
    #[must_use]
    pub fn greatest(self) -> f64 {
        let magnitudes = 0..1u32 << (self.exponent_bits + self.mantissa_bits);
        let bits = magnitudes.rev().find(|bits| self.value(*bits).is_finite());
        self.value(bits.unwrap_or_default()).into()
    }

    /// The least finite number, which is positive in a format without a sign.
    #[must_use]
    pub fn least(self) -> f64 {
        if self.has_sign { -self.greatest() } else { self.value(0).into() }
    }

    /// Whether the format has infinities.
    #[must_use]
    pub fn has_infinities(self) -> bool {
        self.special == Special::Ieee
    }

    /// Whether the format has NaN.
    #[must_use]
    pub fn has_nan(self) -> bool {
        self.special != Special::None
    }

    /// The bits of a value; `None` if the format does not have it. Formats with one zero have it for both.
    #[must_use]
    pub fn bits_of(self, value: f64) -> Option<u32> {
        let sign =
            u32::from(self.has_sign && value.is_sign_negative()) << (self.exponent_bits + self.mantissa_bits);
        let infinity = ((1u32 << self.exponent_bits) - 1) << self.mantissa_bits;
        if value.is_nan() {
            return match self.special {
                // The quiet NaN: the first mantissa bit set.
                Special::Ieee => Some(infinity | 1 << (self.mantissa_bits - 1)),
                Special::Fnuz => Some(1 << (self.exponent_bits + self.mantissa_bits)),
                Special::AllOnes => Some((1 << (self.exponent_bits + self.mantissa_bits)) - 1),
                Special::None => None,
            };
        }
        if value.is_infinite() {
            return self.has_infinities().then_some(infinity | sign);
        }
        if value == 0.0 && self.special == Special::Fnuz {
            return Some(0);
        }
        let exponent = exponent(value).max(self.normal_exponent());
        let units = value.abs() / 2f64.powi(exponent - self.mantissa_bits.cast_signed());
        if units >= 2f64.powi(self.digits().cast_signed()) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "below 2^digits, and not negative"
        )]
        let units = units as u32;
        let hidden = 1 << self.mantissa_bits;
        let power = u32::try_from(exponent + self.bias).ok()?;
        // A number without the leading digit is subnormal.
        let magnitude = if units < hidden { units } else { (power << self.mantissa_bits) + units - hidden };
        let bits = magnitude.checked_add(sign).filter(|bits| bits >> self.bits() == 0)?;
        (f64::from(self.value(bits)) == value).then_some(bits)
    }

    /// The item nearest to a value, ties to even; `None` for NaN if the format has none.
    ///
    /// Values out of range are converted as in ml_dtypes: beyond the largest number to infinity, or to NaN if the
    /// format has no infinity, or else to the largest number; zero to NaN if the format has no zero.
    pub(crate) fn nearest(self, value: f64) -> Option<Vec<u8>> {
        let value = if value.is_finite() { self.within(value) } else { value };
        let bits = self.bits_of(self.rounded(value))?;
        Some(bits.to_le_bytes()[..self.item_size()].to_vec())
    }

    /// The nearest number to a value within the format's range, ties to even.
    fn rounded(self, value: f64) -> f64 {
        if !value.is_finite() {
            return value;
        }
        let unit = (exponent(value) + 1 - self.digits().cast_signed()).max(self.least_exponent());
        // Without a mantissa, the middle of two powers becomes the greater one.
        (value / 2f64.powi(unit)).round_ties_even() * 2f64.powi(unit)
    }

    /// A finite value, or its replacement if it is out of the format's range.
    fn within(self, value: f64) -> f64 {
        let most = self.greatest();
        let unit = 2f64.powi(exponent(most) + 1 - self.digits().cast_signed());
        let middle = most + unit / 2.0;
        let is_even = (most / unit) % 2.0 == 0.0;
        if value.abs() > middle || value.abs() == middle && !is_even {
            return match self.special {
                Special::Ieee => f64::INFINITY.copysign(value),
                Special::Fnuz | Special::AllOnes => f64::NAN,
                Special::None => most.copysign(value),
            };
        }
        let least = self.least();
        match least > 0.0 && value < least {
            true if value < least / 2.0 => f64::NAN,
            true => least,
            false => value,
        }
    }

    /// Exponent of the least number with a leading digit of 1.
    fn normal_exponent(self) -> i32 {
        // A format without mantissa and sign has no subnormal numbers: its exponent 0 is 2^-bias.
        if self.mantissa_bits == 0 { -self.bias } else { 1 - self.bias }
    }
}

/// Exponent of a value's leading digit; that of the least normal float64 for smaller values.
fn exponent(value: f64) -> i32 {
    i32::try_from((value.to_bits() >> 52 & 0x7ff).max(1)).unwrap_or_default() - 1023
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::MiniFloat;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn bfloat16_is_the_high_half_of_float32() {
        let format = MiniFloat::named("bfloat16").expect("known");
        for bits in 0..=u16::MAX {
            let value = format.widened(&bits.to_le_bytes()).next().expect("one item");
            let expected = half::bf16::from_bits(bits).to_f32();
            assert!(
                value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan(),
                "{bits:#x}"
            );
        }
    }

    #[test]
    fn what_a_format_cannot_hold_is_what_ml_dtypes_makes_of_it() {
        // Beside each largest number: just below, at, and above the middle of it and the next one.
        let cases: [(&str, f64, [f64; 3]); 9] = [
            ("bfloat16", 3.389_531_389_251_535_5e38 + 2f64.powi(119), [3.389_531_389_251_535_5e38, INF, INF]),
            ("float8_e3m4", 15.75, [15.5, INF, INF]),
            ("float8_e4m3", 248.0, [240.0, INF, INF]),
            ("float8_e5m2", 61_440.0, [57_344.0, INF, INF]),
            ("float8_e4m3fn", 464.0, [448.0, 448.0, f64::NAN]),
            ("float8_e4m3fnuz", 248.0, [240.0, f64::NAN, f64::NAN]),
            ("float8_e8m0fnu", 1.5 * 2f64.powi(127), [2f64.powi(127), f64::NAN, f64::NAN]),
            ("float6_e3m2fn", 30.0, [28.0, 28.0, 28.0]),
            ("float4_e2m1fn", 7.0, [6.0, 6.0, 6.0]),
        ];
        for (name, middle, expected) in cases {
            let format = MiniFloat::named(name).expect("known");
            let nearest = |value: f64| {
                let item = format.nearest(value).expect("something stands for it");
                f64::from(format.widened(&item).next().expect("one item"))
            };
            for (value, expected) in [middle.next_down(), middle, middle.next_up()].into_iter().zip(expected)
            {
                for sign in if format.has_sign { [1.0, -1.0] } else { [1.0, 1.0] } {
                    let (got, expected) = (nearest(sign * value), sign * expected);
                    assert!(got == expected || got.is_nan() && expected.is_nan(), "{name} {value}: {got}");
                }
            }
        }
    }

    #[test]
    fn powers_alone_have_no_zero_and_go_up_from_the_middle() {
        let format = MiniFloat::named("float8_e8m0fnu").expect("known");
        let cases = [(1.5, 128), (3.0, 129), (6.0, 130), (1.49, 127), (0.0, 255), (-1.0, 255), (1e-300, 255)];
        for (value, bits) in cases {
            assert_eq!(format.nearest(value), Some(vec![bits]), "{value}");
        }
    }

    #[test]
    fn what_rounds_to_zero_is_zero_where_there_is_only_one() {
        for (name, negative) in [("float8_e4m3fnuz", 0), ("float8_e4m3b11fnuz", 0), ("float8_e5m2", 0x80)] {
            let format = MiniFloat::named(name).expect("known");
            for (value, bits) in [(-0.0, negative), (-1e-30, negative), (1e-30, 0)] {
                assert_eq!(format.nearest(value), Some(vec![bits]), "{name} {value}");
            }
        }
    }

    #[test]
    fn every_value_finds_itself() {
        for name in MiniFloat::names() {
            let format = MiniFloat::named(name).expect("known");
            // Of the 65,536 patterns of bfloat16, some.
            let step = if format.bits() > 8 { 997 } else { 1 };
            for bits in (0..1u32 << format.bits()).step_by(step) {
                let value = format.value(bits);
                if value.is_nan() {
                    continue;
                }
                let item = format.nearest(value.into()).expect("a value of the format");
                let again = format.widened(&item).next().expect("one item");
                assert_eq!(again.to_bits(), value.to_bits(), "{name} {bits:#x}");
            }
        }
    }
}
