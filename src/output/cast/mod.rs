//! Items as the numbers of another type, on their way into a result: masked, scaled, rounded once.
//!
//! Invariant: an item is compared with the missing values as a number of its own type; what equals one, and NaN, is
//! NaN. Everything else is calculated with as float64, unless another precision is asked for, and rounded to the target
//! once. What the target cannot hold is found out and never wrapped.

mod built;

use rectilinear_zarr_kernels::floats::{first_outside, level, mask, scale, scale_in, truncate};
use rectilinear_zarr_kernels::numeric::{BLOCK, Numeric};

use super::range_tracker::RangeTracker;
use super::scalar::Scalar;
use crate::metadata::MiniFloat;

/// The greatest integer up to which floats of 64 bits hold every one.
const EXACT: i128 = 1 << 53;

/// Cast of items to numbers of one type.
#[derive(Debug, Clone, PartialEq)]
pub struct Cast {
    source: Source,
    target: Numeric,
    /// Numbers in an item: a complex one has two.
    parts: usize,
    /// Missing values, for items that are no integers of 64 bits, and for items that are.
    missing: Vec<f64>,
    missing_integers: Vec<i64>,
    /// Factor that an item is multiplied by, and offset that is added then.
    scaling: Option<(f64, f64)>,
    /// The type that items are scaled in: a float, or int64 where they lose their fraction first and nothing is added.
    precision: Numeric,
    /// Whether items become 1 where they are not 0, NaN too.
    is_truth: bool,
    /// The number that becomes 0, and how many levels there are for each one above it.
    levels: Option<(f64, f64)>,
    is_exact: bool,
    is_reinterpreted: bool,
    sees_range: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Number(Numeric),
    MiniFloat(MiniFloat),
}

impl Cast {
    /// The number type that items become.
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
    pub(crate) fn refusal(&self) -> String {
        if self.is_exact {
            return "beyond 2^53, which a number would round; read it without int64: \"number\"".to_owned();
        }
        let holder = if self.target.is_float() { self.precision } else { self.target };
        format!("which {holder} cannot hold; read it as a type that can")
    }

    /// The least and the greatest number that was seen, as the target has them; nothing where there was none.
    pub(crate) fn range(&self, seen: &RangeTracker) -> Option<(f64, f64)> {
        // Integers lose their fraction, -0.5 its sign too; levels are of numbers that keep theirs.
        let loses_fraction = !self.target.is_float() && self.levels.is_none();
        let made =
            |number: f64| if loses_fraction { number.trunc() + 0.0 } else { self.target.rounded(number) };
        (self.sees_range && seen.least <= seen.greatest).then(|| (made(seen.least), made(seen.greatest)))
    }

    /// Casts items that lie one after the other.
    pub(crate) fn items(&self, from: &[u8], to: &mut [u8], seen: &mut RangeTracker) {
        let (source, target) = self.sizes();
        let (source, target) = (source / self.parts, target / self.parts);
        for (from, to) in from.chunks(BLOCK * source).zip(to.chunks_mut(BLOCK * target)) {
            let is_exact =
                if self.scaling.is_some() { !self.precision.is_float() } else { !self.target.is_float() };
            match self.source {
                Source::Number(number)
                    if !number.is_float() && is_exact && !self.is_truth && self.levels.is_none() =>
                {
                    self.integers(number, from, to, seen);
                }
                _ => self.floats(from, to, seen),
            }
        }
    }

    /// Casts items that are known to fit.
    #[must_use]
    pub fn made(&self, items: &[u8]) -> Vec<u8> {
        let (size, new_size) = self.sizes();
        let mut made = vec![0; items.len() / size * new_size];
        self.items(items, &mut made, &mut RangeTracker::default());
        made
    }

    /// Integers as integers of another size, or multiplied by one.
    fn integers(&self, mut number: Numeric, from: &[u8], to: &mut [u8], seen: &mut RangeTracker) {
        let mut block = [0; BLOCK];
        let integers = &mut block[..from.len() / number.size()];
        number.integers(from, integers);
        if let Some((by, _)) = self.scaling {
            self.multiply(number, by, integers, seen);
            number = self.precision;
        }
        if seen.misfit.is_none() && !self.target.is_float() {
            let range = self.target.range();
            let misfit = integers.iter().map(|&bits| number.value(bits)).find(|value| !range.contains(value));
            seen.misfit = misfit.map(Scalar::Integer);
        }
        if self.sees_range {
            integers.iter().for_each(|&bits| seen.take(Scalar::Integer(number.value(bits)).as_f64()));
        }
        self.target.put_integers(integers, number, to);
    }

    /// Multiplies integers by a whole number, as int64.
    #[expect(clippy::cast_possible_truncation, reason = "a factor is whole, and products are checked")]
    fn multiply(&self, number: Numeric, by: f64, integers: &mut [i64], seen: &mut RangeTracker) {
        let range = if self.is_exact { -EXACT..=EXACT } else { self.precision.range() };
        for bits in integers {
            let product = number.value(*bits).saturating_mul(by as i128);
            if !range.contains(&product) {
                seen.misfit = seen.misfit.or(Some(Scalar::Float(Scalar::Integer(product).as_f64())));
            }
            *bits = product as i64;
        }
    }

    /// Numbers by way of floats.
    fn floats(&self, from: &[u8], to: &mut [u8], seen: &mut RangeTracker) {
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
        match (self.scaling, self.precision) {
            (None, _) => {}
            (Some((by, plus)), Numeric::Float(64)) => scale(floats, by, plus),
            (Some((by, plus)), Numeric::Float(_)) => scale_in(floats, by, plus, self.precision),
            // To add 0 makes 0 of -0, which integers do not have.
            (Some((by, _)), _) => floats.iter_mut().for_each(|float| *float = float.trunc() * by + 0.0),
        }
        if self.is_truth {
            floats.iter_mut().for_each(|float| *float = f64::from(u8::from(*float != 0.0)));
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
            let (least, greatest) = self.target.bounds();
            // No float is the greatest integer of 64 bits, and the next one does not fit.
            let greatest = if self.target.size() == 8 { greatest.next_down() } else { greatest };
            seen.misfit = first_outside(floats, (least, greatest)).map(Scalar::Float);
        }
        let mut integers = [0; BLOCK];
        truncate(floats, &mut integers);
        self.target.put_integers(&integers[..floats.len()], self.target, to);
    }

    /// Integers of 64 bits, some of which floats round.
    fn wide(&self, number: Numeric, from: &[u8], floats: &mut [f64], seen: &mut RangeTracker) {
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
