//! Numbers of any type, for options and messages.

use std::fmt;

use crate::metadata::{float_text, integer_text};

/// A number of any type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// An integer of 64 bits or fewer.
    Integer(i128),
    /// A float.
    Float(f64),
}

impl Scalar {
    /// The number as an integer; `None` if it is not one.
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^64, both checked")]
    pub(crate) fn as_integer(self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some(value),
            Self::Float(value) => (value.fract() == 0.0 && value.abs() < 1.9e19).then_some(value as i128),
        }
    }

    /// The nearest float.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "rounding is what is meant")]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => f.write_str(&integer_text(*value)),
            Self::Float(value) => f.write_str(&float_text(*value)),
        }
    }
}
