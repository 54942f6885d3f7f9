//! Items as the numbers of another type, on their way into a result: masked, scaled, rounded once.
//!
//! Invariant: an item is compared with the missing values as a number of its own type; what equals one, and NaN, is
//! NaN. Everything else is calculated with as float64, and rounded to the target once. What the target cannot hold is
//! found out and never wrapped.

use rectilinear_zarr_kernels::floats::{first_outside, level, mask, scale, truncate};
use rectilinear_zarr_kernels::numeric::{BLOCK, Numeric};

use super::scalar::Scalar;
use super::seen::Seen;
use crate::metadata::{DataType, Kind, MiniFloat};

/// The greatest integer up to which floats of 64 bits hold every one.
const EXACT: i128 = 1 << 53;

/// What becomes of items.
#[derive(Debug, Clone, PartialEq)]
pub struct Cast {
    source: Source,
    target: Numeric,
    /// Numbers in an item: a complex one has two.
    parts: usize,
    /// What is missing, where items are no integers of 64 bits, and where they are.
    missing: Vec<f64>,
    missing_integers: Vec<i64>,
    /// What an item is multiplied by, and what is added then.
    scaling: Option<(f64, f64)>,
    /// The number that becomes 0, and how many levels there are for each one above it.
    levels: Option<(f64, f64)>,
    is_exact: bool,
    sees_range: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Number(Numeric),
    MiniFloat(MiniFloat),
}

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
            levels: None,
            is_exact: false,
            sees_range: false,
        })
    }

    /// The same where items that equal this number are missing.
    #[must_use]
    pub fn without(mut self, missing: Scalar) -> Self {
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

    /// The same where items that equal this one are missing.
    #[must_use]
    pub fn without_item(self, item: &[u8]) -> Self {
        match self.source {
            Source::Number(number) if !number.is_float() => {
                self.without(Scalar::Integer(number.integer(item)))
            }
            Source::Number(number) => self.without(Scalar::Float(number.float(item))),
            Source::MiniFloat(format) => {
                let value = format.widened(item).next();
                value.into_iter().fold(self, |cast, value| cast.without(Scalar::Float(value.into())))
            }
        }
    }

    /// The same of numbers multiplied by the one and added to the other.
    #[must_use]
    pub fn scaled(self, by: f64, plus: f64) -> Self {
        Self { scaling: Some((by, plus)), ..self }
    }

    /// The same of the level of each number between two, from 0 to 255; NaN is on level 0.
    #[must_use]
    pub fn levelled(self, least: f64, greatest: f64) -> Self {
        Self { levels: Some((least, 255.0 / (greatest - least))), ..self }
    }

    /// The same where integers that a float rounds do not fit.
    #[must_use]
    pub fn exactly(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// The same that sees the least and the greatest number.
    #[must_use]
    pub fn seeing_range(self) -> Self {
        Self { sees_range: true, ..self }
    }

    /// What items become.
    #[must_use]
    pub fn target(&self) -> Numeric {
        self.target
    }

    /// Bytes of an item, before and after.
    #[must_use]
    pub fn sizes(&self) -> (usize, usize) {
        let source = match self.source {
            Source::Number(number) => number.size(),
            Source::MiniFloat(format) => format.item_size(),
        };
        (self.parts * source, self.parts * self.target.size())
    }

    /// Why a number does not fit.
    pub(super) fn refusal(&self) -> String {
        if self.is_exact {
            return "beyond 2^53, which a number would round; read it without int64: \"number\"".to_owned();
        }
        format!("which {} cannot hold; read it as a type that can", self.target)
    }

    /// The least and the greatest number that was seen, as the target has them; nothing where there was none.
    pub(super) fn range(&self, seen: &Seen) -> Option<(f64, f64)> {
        // Integers lose their fraction, -0.5 its sign too; levels are of numbers that keep theirs.
        let loses_fraction = !self.target.is_float() && self.levels.is_none();
        let made =
            |number: f64| if loses_fraction { number.trunc() + 0.0 } else { self.target.rounded(number) };
        (self.sees_range && seen.least <= seen.greatest).then(|| (made(seen.least), made(seen.greatest)))
    }

    /// Casts items that lie one after the other.
    pub(super) fn items(&self, from: &[u8], to: &mut [u8], seen: &mut Seen) {
        let (source, target) = self.sizes();
        let (source, target) = (source / self.parts, target / self.parts);
        for (from, to) in from.chunks(BLOCK * source).zip(to.chunks_mut(BLOCK * target)) {
            match self.source {
                Source::Number(number)
                    if !number.is_float()
                        && !self.target.is_float()
                        && self.scaling.is_none()
                        && self.levels.is_none() =>
                {
                    self.integers(number, from, to, seen);
                }
                _ => self.floats(from, to, seen),
            }
        }
    }

    /// What becomes of items, which are known to fit.
    #[must_use]
    pub fn made(&self, items: &[u8]) -> Vec<u8> {
        let (size, new_size) = self.sizes();
        let mut made = vec![0; items.len() / size * new_size];
        self.items(items, &mut made, &mut Seen::default());
        made
    }

    /// Integers as integers of another size.
    fn integers(&self, number: Numeric, from: &[u8], to: &mut [u8], seen: &mut Seen) {
        let mut block = [0; BLOCK];
        let integers = &mut block[..from.len() / number.size()];
        number.integers(from, integers);
        if seen.misfit.is_none() {
            let range = self.target.range();
            let misfit = integers.iter().map(|&bits| number.value(bits)).find(|value| !range.contains(value));
            seen.misfit = misfit.map(Scalar::Integer);
        }
        if self.sees_range {
            integers.iter().for_each(|&bits| seen.take(Scalar::Integer(number.value(bits)).as_f64()));
        }
        self.target.put_integers(integers, number, to);
    }

    /// Numbers by way of floats.
    fn floats(&self, from: &[u8], to: &mut [u8], seen: &mut Seen) {
        let mut block = [0.0; BLOCK];
        let floats = &mut block[..to.len() / self.target.size()];
        match self.source {
            Source::MiniFloat(format) => {
                floats.iter_mut().zip(format.widened(from)).for_each(|(place, value)| *place = value.into());
            }
            Source::Number(number) if number.size() == 8 && !number.is_float() => {
                self.wide(number, from, floats, seen);
            }
            Source::Number(number) => number.floats(from, floats),
        }
        for missing in &self.missing {
            mask(floats, *missing);
        }
        if let Some((by, plus)) = self.scaling {
            scale(floats, by, plus);
        }
        if self.sees_range {
            seen.take_all(floats);
        }
        if self.target.is_float() {
            return self.target.put_floats(floats, to);
        }
        if let Some((least, levels)) = self.levels {
            level(floats, least, levels);
        }
        if seen.misfit.is_none() {
            seen.misfit = first_outside(floats, self.target.bounds()).map(Scalar::Float);
        }
        let mut integers = [0; BLOCK];
        truncate(floats, &mut integers);
        self.target.put_integers(&integers[..floats.len()], self.target, to);
    }

    /// Integers of 64 bits, some of which floats round.
    fn wide(&self, number: Numeric, from: &[u8], floats: &mut [f64], seen: &mut Seen) {
        let mut block = [0; BLOCK];
        let integers = &mut block[..floats.len()];
        number.integers(from, integers);
        // Straight to 32 bits where that is the target: by way of 64 they would be rounded twice.
        let is_single = self.target == Numeric::Float(32) && self.scaling.is_none();
        for (float, bits) in floats.iter_mut().zip(integers) {
            *float = match (self.missing_integers.contains(bits), is_single) {
                (true, _) => f64::NAN,
                (false, true) => number.single(*bits).into(),
                (false, false) => number.double(*bits),
            };
            if self.is_exact && number.value(*bits).abs() > EXACT && !float.is_nan() {
                seen.misfit = seen.misfit.or(Some(Scalar::Integer(number.value(*bits))));
            }
        }
    }
}
