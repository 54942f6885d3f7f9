//! The rounding modes of `cast_value`, for integers and for shorter floats.

use rectilinear_zarr_kernels::numeric::Numeric;

/// The numbers of a float type, but for their range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Precision {
    /// Binary digits of a number.
    pub(crate) digits: u32,
    /// Exponent of the least positive number.
    pub(crate) least: i32,
}

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

    /// Rounds a float to one of this precision, as if that type had no largest number.
    pub(crate) fn float(self, float: f64, precision: Precision) -> f64 {
        let Precision { digits, least } = precision;
        if digits == 53 || !float.is_finite() {
            return float;
        }
        // A subnormal float64 is far below the smallest number of every shorter type.
        let exponent = i32::try_from(float.to_bits() >> 52 & 0x7ff).unwrap_or_default() - 1023;
        let unit = 2f64.powi((exponent + 1 - digits.cast_signed()).max(least));
        self.whole(float / unit) * unit
    }

    /// Rounds an integer to a float of this precision, as if that type had no largest number.
    #[expect(clippy::cast_precision_loss, reason = "at most 53 bits are left, or one bit above them")]
    pub(crate) fn integer(self, integer: i128, precision: Precision) -> f64 {
        let magnitude = integer.unsigned_abs();
        let digits = precision.digits;
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

impl Precision {
    /// The precision of a float; that of float64 for other types.
    pub(crate) fn of(number: Numeric) -> Self {
        let (digits, least) = match number {
            Numeric::Float(16) => (11, -24),
            Numeric::Float(32) => (24, -149),
            _ => (53, -1074),
        };
        Self { digits, least }
    }
}
