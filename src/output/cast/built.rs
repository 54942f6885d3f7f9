//! How a cast is built: from the type of the items, with what is missing, how they are scaled, and what is looked at.

use super::{Cast, Numeric, Source};
use crate::metadata::{DataType, Kind};
use crate::output::scalar::Scalar;

impl Cast {
    /// Items as numbers of another type; nothing where they are no numbers. "Not a time" is missing.
    #[must_use]
    pub fn new(data_type: &DataType, target: Numeric) -> Option<Self> {
        let (number, parts) = match data_type.kind() {
            Kind::Complex(part) => (part.as_ref(), 2),
            _ => (data_type, 1),
        };
        let source = match number.kind() {
            Kind::MiniFloat(format) => Source::MiniFloat(*format),
            Kind::Time { .. } => Source::Number(Numeric::Int(64)),
            _ => Source::Number(number.numeric()?),
        };
        let is_time = matches!(number.kind(), Kind::Time { .. }) && target.is_float();
        Some(Self {
            source,
            target,
            parts,
            missing: Vec::new(),
            missing_integers: if is_time { vec![i64::MIN] } else { Vec::new() },
            scaling: None,
            precision: Numeric::Float(64),
            is_truth: false,
            levels: None,
            is_exact: false,
            is_reinterpreted: false,
            sees_range: false,
        })
    }

    /// This cast, with the bits of integers taken as unsigned or as signed ones before anything is said of them.
    #[must_use]
    pub fn reinterpreted(self, unsigned: bool) -> Self {
        let source = match self.source {
            Source::Number(Numeric::Int(bits)) if unsigned => Source::Number(Numeric::UInt(bits)),
            Source::Number(Numeric::UInt(bits)) if !unsigned => Source::Number(Numeric::Int(bits)),
            source => source,
        };
        Self { source, is_reinterpreted: source != self.source, ..self }
    }

    /// This cast, with items that equal this number as missing ones.
    #[must_use]
    pub fn without(mut self, missing: Scalar) -> Self {
        let missing = match (self.source, missing) {
            // What is missing is said as it is stored, or as it counts.
            (Source::Number(number), Scalar::Integer(value)) if self.is_reinterpreted => {
                let item = value.to_le_bytes();
                let counted = number.integer(&item[..number.size()]);
                // Both spellings of an item differ by 2 to the power of its bits; any other number is no item's.
                let apart = 1 << (8 * number.size());
                if value.abs_diff(counted) <= apart { Scalar::Integer(counted) } else { missing }
            }
            (_, missing) => missing,
        };
        let missing = match (self.source, missing) {
            // A number of 64 bits is compared as an integer, or never found.
            (Source::Number(number @ (Numeric::Int(64) | Numeric::UInt(64))), missing) => {
                let integer = missing.as_integer().filter(|value| number.range().contains(value));
                #[expect(clippy::cast_possible_truncation, reason = "the low 64 bits, which are all")]
                self.missing_integers.extend(integer.map(|value| value as i64));
                return self;
            }
            (Source::Number(number), missing) if number.is_float() => number.rounded(missing.as_f64()),
            (_, missing) => missing.as_f64(),
        };
        self.missing.push(missing);
        self
    }

    /// The number that an item is.
    #[must_use]
    pub fn number(&self, item: &[u8]) -> Scalar {
        match self.source {
            Source::Number(number) if !number.is_float() => Scalar::Integer(number.integer(item)),
            Source::Number(number) => Scalar::Float(number.float(item)),
            Source::MiniFloat(format) => {
                Scalar::Float(format.widened(item).next().unwrap_or(f32::NAN).into())
            }
        }
    }

    /// A cast to numbers that are multiplied by the one and added to the other in this precision. In int64 the factor is whole,
    /// and nothing is added.
    #[must_use]
    pub fn scaled(self, by: f64, plus: f64, precision: Numeric) -> Self {
        Self { scaling: Some((by, plus)), precision, ..self }
    }

    /// A cast to 0 or 1: whether numbers are not 0.
    #[must_use]
    pub fn as_truth(self) -> Self {
        Self { is_truth: true, ..self }
    }

    /// This cast, giving the level of each number between two, from 0 to 255; NaN is on level 0.
    #[must_use]
    pub fn levelled(self, least: f64, greatest: f64) -> Self {
        Self { levels: Some((least, 255.0 / (greatest - least))), ..self }
    }

    /// This cast, where integers that a float rounds do not fit.
    #[must_use]
    pub fn exactly(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// This cast, noting the least and the greatest number.
    #[must_use]
    pub fn seeing_range(self) -> Self {
        Self { sees_range: true, ..self }
    }

    /// This cast, to another type.
    #[must_use]
    pub fn becoming(self, target: Numeric) -> Self {
        Self { target, ..self }
    }

    /// This cast, to the type that integers count as.
    #[must_use]
    pub fn as_it_is(self) -> Option<Self> {
        match self.source {
            Source::Number(target) => Some(Self { target, ..self }),
            Source::MiniFloat(_) => None,
        }
    }

    /// The integers of 64 bits that are missing.
    #[must_use]
    pub fn missing_integers(&self) -> &[i64] {
        &self.missing_integers
    }

    /// Whether items are 0 or 1, both of which mean something.
    #[must_use]
    pub fn is_of_bools(&self) -> bool {
        self.source == Source::Number(Numeric::Bool)
    }
}
