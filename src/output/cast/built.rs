//! Builders of a cast: source and target types, missing values, scaling, and checks.

use super::{Cast, Numeric, Source};
use crate::metadata::{DataType, Kind};
use crate::output::scalar::Scalar;
use crate::parts::{Calls, Loaded};

impl Cast {
    /// Casts items to another number type; `None` if the items are not numbers. Not-a-time counts as missing.
    #[must_use]
    pub fn new(part: Loaded<Calls>, data_type: &DataType, target: Numeric) -> Option<Self> {
        let element = data_type.element();
        let elements = data_type.item_size() / element.item_size().max(1);
        let (number, parts) = match element.kind() {
            Kind::Complex(part) => (part.as_ref(), 2 * elements),
            _ => (element, elements),
        };
        let source = match number.kind() {
            Kind::MiniFloat(format) => Source::MiniFloat(*format),
            Kind::Time { .. } => Source::Number(Numeric::Int(64)),
            _ => Source::Number(number.numeric()?),
        };
        let is_time = matches!(number.kind(), Kind::Time { .. }) && target.is_float();
        Some(Self {
            part,
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

    /// Reinterprets the bits of integers as unsigned or signed before any other step.
    #[must_use]
    pub fn reinterpreted(self, unsigned: bool) -> Self {
        let source = match self.source {
            Source::Number(Numeric::Int(bits)) if unsigned => Source::Number(Numeric::UInt(bits)),
            Source::Number(Numeric::UInt(bits)) if !unsigned => Source::Number(Numeric::Int(bits)),
            source => source,
        };
        Self { source, is_reinterpreted: source != self.source, ..self }
    }

    /// Adds a missing value: items that equal it become NaN.
    #[must_use]
    pub fn without(mut self, missing: Scalar) -> Self {
        let missing = match (self.source, missing) {
            // The missing value may be given as stored, or as reinterpreted.
            (Source::Number(number), Scalar::Integer(value)) if self.is_reinterpreted => {
                let item = value.to_le_bytes();
                let counted = number.integer(&item[..number.size()]);
                // Both forms differ by 2 to the power of the item's bits; no item equals any other number.
                let apart = 1 << (8 * number.size());
                if value.abs_diff(counted) <= apart { Scalar::Integer(counted) } else { missing }
            }
            (_, missing) => missing,
        };
        let missing = match (self.source, missing) {
            // 64-bit items are compared as integers; a missing value that is no such integer matches no item.
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

    /// The number of one item.
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

    /// Multiplies numbers by `by`, then adds `plus`, in this precision. For int64 `by` must be whole and `plus` 0.
    #[must_use]
    pub fn scaled(self, by: f64, plus: f64, precision: Numeric) -> Self {
        Self { scaling: Some((by, plus)), precision, ..self }
    }

    /// Casts numbers to 0 if they equal 0, else to 1.
    #[must_use]
    pub fn as_truth(self) -> Self {
        Self { is_truth: true, ..self }
    }

    /// Casts numbers to levels: `least` to 0, `greatest` to 255, NaN to 0.
    #[must_use]
    pub fn levelled(self, least: f64, greatest: f64) -> Self {
        Self { levels: Some((least, 255.0 / (greatest - least))), ..self }
    }

    /// Refuses integers that `f64` would round.
    #[must_use]
    pub fn exactly(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// Tracks the minimum and maximum of the numbers.
    #[must_use]
    pub fn seeing_range(self) -> Self {
        Self { sees_range: true, ..self }
    }

    /// Sets another target type.
    #[must_use]
    pub fn becoming(self, target: Numeric) -> Self {
        Self { target, ..self }
    }

    /// Sets the source's type, after reinterpretation, as the target; `None` for floats that JavaScript has no array
    /// for.
    #[must_use]
    pub fn as_it_is(self) -> Option<Self> {
        match self.source {
            Source::Number(target) => Some(Self { target, ..self }),
            Source::MiniFloat(_) => None,
        }
    }

    /// The missing values of 64-bit integer items.
    #[must_use]
    pub fn missing_integers(&self) -> &[i64] {
        &self.missing_integers
    }

    /// Whether items are booleans, of which neither value means "missing".
    #[must_use]
    pub fn is_of_bools(&self) -> bool {
        self.source == Source::Number(Numeric::Bool)
    }
}
