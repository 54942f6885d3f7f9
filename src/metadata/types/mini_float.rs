//! Floats of 4 to 16 bits without a JavaScript typed array, widened to `f32`, which holds all of their values exactly.
//!
//! Specs: <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types>, the folders `bfloat16` and
//! `float*`.

/// Layout of a small float: sign, exponent, mantissa, from the highest bit down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiniFloat {
    pub(super) has_sign: bool,
    pub(super) exponent_bits: u32,
    pub(super) mantissa_bits: u32,
    pub(super) bias: i32,
    pub(super) special: Special,
}

/// Encoding of infinities and NaN in a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
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
    pub(super) fn value(self, bits: u32) -> f32 {
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
}

fn bits_of(item: &[u8]) -> u32 {
    item.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte))
}
