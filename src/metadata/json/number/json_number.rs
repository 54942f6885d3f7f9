//! JSON numbers with all of their digits.

use super::decimal::{nearest, shortest};

/// A JSON number with all of its digits.
#[derive(Debug, Clone)]
pub struct JsonNumber(NumberForm);

#[derive(Debug, Clone)]
enum NumberForm {
    /// An integer from 0 to 2^64 - 1.
    Unsigned(u64),
    /// An integer from -2^63 to -1.
    Negative(i64),
    /// Any other number, as text.
    Float(Box<str>),
}

impl JsonNumber {
    /// Reads the text of a number; one beyond the range of `f64` is infinite, as in Python and in JavaScript.
    pub(crate) fn read(text: &str) -> Self {
        let is_integer = is_whole(text);
        if is_integer && let Ok(number) = text.parse() {
            return Self(NumberForm::Unsigned(number));
        }
        if is_integer && let Ok(number @ ..0) = text.parse() {
            return Self(NumberForm::Negative(number));
        }
        Self(NumberForm::Float(text.into()))
    }

    /// The number of a float; `None` if it is not finite.
    #[must_use]
    pub fn from_f64(float: f64) -> Option<Self> {
        float.is_finite().then(|| Self(NumberForm::Float(shortest(float).into())))
    }

    /// The integer, if it is one from 0 to 2^64 - 1, written without a fraction or an exponent.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        if let NumberForm::Unsigned(number) = self.0 { Some(number) } else { None }
    }

    /// The integer, if it is one from -2^63 to 2^63 - 1, written without a fraction or an exponent.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            NumberForm::Unsigned(number) => i64::try_from(number).ok(),
            NumberForm::Negative(number) => Some(number),
            NumberForm::Float(_) => None,
        }
    }

    /// The nearest `f64`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "rounding to the nearest float is intended")]
    pub fn as_f64(&self) -> f64 {
        match &self.0 {
            NumberForm::Unsigned(number) => *number as f64,
            NumberForm::Negative(number) => *number as f64,
            NumberForm::Float(text) => nearest(text),
        }
    }

    /// The digits of an integer beyond 2^53 or its negative, which floats round; `None` for others, and for numbers written
    /// with a fraction or an exponent.
    #[must_use]
    pub fn large_integer(&self) -> Option<String> {
        const MOST: u64 = 1 << 53;
        let is_large = match &self.0 {
            NumberForm::Unsigned(number) => *number > MOST,
            NumberForm::Negative(number) => number.unsigned_abs() > MOST,
            // As text are the integers beyond 64 bits, and -0.
            NumberForm::Float(text) => &**text != "-0" && is_whole(text),
        };
        is_large.then(|| self.text())
    }

    /// Whether it is written with a fraction or an exponent, or is not a 64-bit integer.
    #[must_use]
    pub fn is_f64(&self) -> bool {
        matches!(self.0, NumberForm::Float(_))
    }

    /// The number as JSON.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.0 {
            NumberForm::Unsigned(number) => number.to_string(),
            NumberForm::Negative(number) => number.to_string(),
            NumberForm::Float(text) => text.to_string(),
        }
    }
}

/// Whether the text of a number has neither a fraction nor an exponent.
fn is_whole(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

impl PartialEq for JsonNumber {
    /// Whether both are the same integer, or both the same float.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (NumberForm::Unsigned(one), NumberForm::Unsigned(other)) => one == other,
            (NumberForm::Negative(one), NumberForm::Negative(other)) => one == other,
            (NumberForm::Float(_), NumberForm::Float(_)) => self.as_f64() == other.as_f64(),
            _ => false,
        }
    }
}

impl From<u64> for JsonNumber {
    fn from(number: u64) -> Self {
        Self(NumberForm::Unsigned(number))
    }
}

impl From<i64> for JsonNumber {
    fn from(number: i64) -> Self {
        Self(u64::try_from(number).map_or(NumberForm::Negative(number), NumberForm::Unsigned))
    }
}
