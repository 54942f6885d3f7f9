//! Floats of 4 to 16 bits without a JavaScript typed array, widened to `f32`, which holds all of their values exactly.
//!
//! Specs: <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types>, the folders `bfloat16` and
//! `float*`.

/// Layout of a small float: sign, exponent, mantissa, from the highest bit down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiniFloat {
    has_sign: bool,
    exponent_bits: u32,
    mantissa_bits: u32,
    bias: i32,
    special: Special,
}

/// Encoding of infinities and NaN in a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Special {
    /// As in IEEE 754: the highest exponent holds the infinities and NaN.
    Ieee,
    /// No infinities; NaN has the bits of negative zero.
    Fnuz,
    /// No infinities; NaN has all bits except the sign set.
    AllOnes,
    /// Finite numbers only.
    None,
}

const fn format(exponent_bits: u32, mantissa_bits: u32, bias: i32, special: Special) -> MiniFloat {
    MiniFloat { has_sign: true, exponent_bits, mantissa_bits, bias, special }
}

const FORMATS: [(&str, MiniFloat); 12] = [
    ("bfloat16", format(8, 7, 127, Special::Ieee)),
    ("float8_e3m4", format(3, 4, 3, Special::Ieee)),
    ("float8_e4m3", format(4, 3, 7, Special::Ieee)),
    // Not registered; TensorStore writes it.
    ("float8_e4m3fn", format(4, 3, 7, Special::AllOnes)),
    ("float8_e4m3b11fnuz", format(4, 3, 11, Special::Fnuz)),
    ("float8_e4m3fnuz", format(4, 3, 8, Special::Fnuz)),
    ("float8_e5m2", format(5, 2, 15, Special::Ieee)),
    ("float8_e5m2fnuz", format(5, 2, 16, Special::Fnuz)),
    ("float8_e8m0fnu", MiniFloat { has_sign: false, ..format(8, 0, 127, Special::AllOnes) }),
    ("float6_e2m3fn", format(2, 3, 1, Special::None)),
    ("float6_e3m2fn", format(3, 2, 3, Special::None)),
    ("float4_e2m1fn", format(2, 1, 1, Special::None)),
];

impl MiniFloat {
    /// The registered names.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|(name, _)| *name)
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// Bits of one item, without the unused high bits of its byte.
    #[must_use]
    pub fn bits(self) -> u32 {
        u32::from(self.has_sign) + self.exponent_bits + self.mantissa_bits
    }

    /// Bytes of one item.
    #[must_use]
    pub fn item_size(self) -> usize {
        if self.bits() > 8 { 2 } else { 1 }
    }

    /// The values of little endian items.
    pub fn widened(self, items: &[u8]) -> impl Iterator<Item = f32> {
        items.chunks_exact(self.item_size()).map(move |item| self.value(bits_of(item)))
    }

    /// The value of a bit pattern; bits above the format's own are ignored.
    fn value(self, bits: u32) -> f32 {
        let magnitude_bits = self.exponent_bits + self.mantissa_bits;
        let magnitude = bits & ((1 << magnitude_bits) - 1);
        let negative = self.has_sign && bits >> magnitude_bits & 1 == 1;
        let exponent = magnitude >> self.mantissa_bits;
        let mantissa = magnitude & ((1 << self.mantissa_bits) - 1);
        let highest = (1 << self.exponent_bits) - 1;
        match self.special {
            Special::Fnuz if negative && magnitude == 0 => return f32::NAN,
            Special::AllOnes if magnitude == (1 << magnitude_bits) - 1 => return f32::NAN,
            Special::Ieee if exponent == highest && mantissa != 0 => return f32::NAN,
            Special::Ieee if exponent == highest => {
                return if negative { f32::NEG_INFINITY } else { f32::INFINITY };
            }
            _ => {}
        }
        // A format without mantissa and sign has no subnormal numbers: its exponent 0 is 2^-bias.
        let subnormal = exponent == 0 && self.mantissa_bits > 0;
        let significand =
            f64::from(mantissa) + if subnormal { 0.0 } else { f64::from(1u32 << self.mantissa_bits) };
        let power =
            exponent.max(u32::from(subnormal)).cast_signed() - self.bias - self.mantissa_bits.cast_signed();
        #[expect(clippy::cast_possible_truncation, reason = "exact: no format is wider than f32")]
        let value = (significand * 2f64.powi(power)) as f32;
        if negative { -value } else { value }
    }

    /// The item nearest to a value, ties to even; `None` for NaN if the format has none.
    ///
    /// Values out of range are converted as in ml_dtypes: beyond the largest number to infinity, or to NaN if the
    /// format has no infinity, or else to the largest number; zero to NaN if the format has no zero.
    pub(crate) fn nearest(self, value: f64) -> Option<Vec<u8>> {
        let patterns = 0..1u32 << self.bits();
        let same_sign = |pattern: &u32| self.value(*pattern).is_sign_negative() == value.is_sign_negative();
        let value = if value.is_finite() { self.within(value) } else { value };
        let bits = if value.is_nan() {
            // The canonical NaN is the quiet one: the first mantissa bit set.
            let quiet = match self.special {
                Special::Ieee => {
                    (((1 << self.exponent_bits) - 1) << self.mantissa_bits) | 1 << (self.mantissa_bits - 1)
                }
                Special::Fnuz => 1 << (self.exponent_bits + self.mantissa_bits),
                Special::AllOnes => (1 << (self.exponent_bits + self.mantissa_bits)) - 1,
                Special::None => return None,
            };
            Some(quiet)
        } else if value.is_infinite() {
            patterns.into_iter().find(|pattern| f64::from(self.value(*pattern)) == value)
        } else {
            let distance = |pattern: &u32| (f64::from(self.value(*pattern)) - value).abs();
            let finite = patterns.filter(|pattern| self.value(*pattern).is_finite() && same_sign(pattern));
            // Without a mantissa, the greater power counts as the even one.
            let odd = |pattern: &u32| if self.mantissa_bits == 0 { u32::MAX - pattern } else { pattern & 1 };
            finite.min_by(|one, other| {
                distance(one).total_cmp(&distance(other)).then(odd(one).cmp(&odd(other)))
            })
        };
        bits.map(|bits| bits.to_le_bytes()[..self.item_size()].to_vec())
    }

    /// A finite value, or its replacement if it is out of the format's range.
    fn within(self, value: f64) -> f64 {
        let magnitudes = 0..1u32 << (self.exponent_bits + self.mantissa_bits);
        let largest = magnitudes.rev().find(|bits| self.value(*bits).is_finite()).unwrap_or_default();
        let most = f64::from(self.value(largest));
        // Without a mantissa, each number is its own unit.
        let unit = if self.mantissa_bits == 0 { most } else { most - f64::from(self.value(largest - 1)) };
        let middle = most + unit / 2.0;
        let is_even = largest & 1 == 0 && self.mantissa_bits > 0;
        if value.abs() > middle || value.abs() == middle && !is_even {
            return match self.special {
                Special::Ieee => f64::INFINITY.copysign(value),
                Special::Fnuz | Special::AllOnes => f64::NAN,
                Special::None => most.copysign(value),
            };
        }
        let least = f64::from(self.value(0));
        if least > 0.0 && value < least / 2.0 { f64::NAN } else { value }
    }
}

fn bits_of(item: &[u8]) -> u32 {
    item.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte))
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
