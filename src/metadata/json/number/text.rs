//! Numbers as text, without the `Display` of floats, which would add its tables to the module.

use super::decimal::shortest;

/// A float as text with the fewest digits that identify it, without `.0` if it is whole.
#[must_use]
pub fn float_text(float: f64) -> String {
    if !float.is_finite() {
        return if float.is_nan() {
            "NaN"
        } else if float > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    let text = shortest(float);
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// A signed or unsigned integer of up to 64 bits as text.
#[must_use]
pub fn integer_text(integer: i128) -> String {
    let negative = |_| i64::try_from(integer).unwrap_or(i64::MIN).to_string();
    u64::try_from(integer).map_or_else(negative, |integer| integer.to_string())
}

#[cfg(test)]
mod tests {
    use super::{float_text, integer_text};

    #[test]
    fn integers_are_spelled_as_rust_spells_them() {
        for integer in [0, 1, -1, i128::from(i64::MIN), i128::from(i64::MAX), i128::from(u64::MAX)] {
            assert_eq!(integer_text(integer), format!("{integer}"));
        }
    }

    #[test]
    fn floats_are_spelled_as_rust_spells_them() {
        for float in
            [0.0, -0.0, 1.0, -2.5, 1e15, 0.1, 123_456.789, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]
        {
            assert_eq!(float_text(float), format!("{float}"));
        }
        assert_eq!(float_text(1e300), "1e+300");
    }
}
