//! The rounding modes of `cast_value`, for integers and for shorter floats.

/// A rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    NearestEven,
    TowardsZero,
    TowardsPositive,
    TowardsNegative,
    NearestAway,
}

impl Rounding {
    pub(crate) const NAMES: [(&str, Self); 5] = [
        ("nearest-even", Self::NearestEven),
        ("towards-zero", Self::TowardsZero),
        ("towards-positive", Self::TowardsPositive),
        ("towards-negative", Self::TowardsNegative),
        ("nearest-away", Self::NearestAway),
    ];

    /// Rounds a float to a whole number.
    pub(crate) fn whole(self, float: f64) -> f64 {
        match self {
            Self::NearestEven => float.round_ties_even(),
            Self::TowardsZero => float.trunc(),
            Self::TowardsPositive => float.ceil(),
            Self::TowardsNegative => float.floor(),
            Self::NearestAway => float.round(),
        }
    }

    /// Rounds a float to one of `bits` bits, as if that type had no largest number.
    pub(crate) fn float(self, float: f64, bits: u32) -> f64 {
        if bits == 64 || !float.is_finite() {
            return float;
        }
        let (digits, least) = format(bits);
        // A subnormal float64 is far below the smallest number of every shorter type.
        let exponent = i32::try_from(float.to_bits() >> 52 & 0x7ff).unwrap_or_default() - 1023;
        let unit = 2f64.powi((exponent + 1 - digits.cast_signed()).max(least));
        self.whole(float / unit) * unit
    }

    /// Rounds an integer to a float of `bits` bits, as if that type had no largest number.
    #[expect(clippy::cast_precision_loss, reason = "at most 53 bits are left, or one bit above them")]
    pub(crate) fn integer(self, integer: i128, bits: u32) -> f64 {
        let magnitude = integer.unsigned_abs();
        let digits = format(bits).0;
        let sign = if integer < 0 { -1.0 } else { 1.0 };
        let more = (u128::BITS - magnitude.leading_zeros()).saturating_sub(digits);
        if more == 0 {
            return sign * magnitude as f64;
        }
        let kept = magnitude >> more;
        let rest = magnitude - (kept << more);
        let half = 1 << (more - 1);
        let is_up = match self {
            Self::NearestEven => rest > half || rest == half && kept & 1 == 1,
            Self::TowardsZero => false,
            Self::TowardsPositive => rest > 0 && integer > 0,
            Self::TowardsNegative => rest > 0 && integer < 0,
            Self::NearestAway => rest >= half,
        };
        sign * ((kept + u128::from(is_up)) << more) as f64
    }
}

/// Precision in binary digits of a float type of `bits` bits, and the exponent of its smallest positive number.
fn format(bits: u32) -> (u32, i32) {
    match bits {
        16 => (11, -24),
        32 => (24, -149),
        _ => (53, -1074),
    }
}
