//! Casts of items to another number type, on their way into a result: masked, scaled, rounded once.
//!
//! Invariant: items are compared with the missing values in their own type; missing items and NaN become NaN. All other
//! items are calculated as float64, unless another precision is set, and rounded to the target type once. Items that do
//! not fit the target type are detected and never wrapped.

mod built;

use rectilinear_zarr_kernels::floats::{first_outside, level, mask, scale, scale_in, truncate};
use rectilinear_zarr_kernels::numeric::{BLOCK, Numeric};

use super::range_tracker::RangeTracker;
use super::scalar::Scalar;
use crate::metadata::MiniFloat;
use crate::parts::{Calls, Loaded, later};

/// Largest integer up to which `f64` holds every integer.
const EXACT: i128 = 1 << 53;

/// Cast of items to numbers of one type.
#[derive(Debug, Clone, PartialEq)]
pub struct Cast {
    part: Loaded<Calls>,
    source: Source,
    target: Numeric,
    /// Numbers in an item: two if it is complex.
    parts: usize,
    /// Missing values of items other than 64-bit integers.
    missing: Vec<f64>,
    /// Missing values of 64-bit integer items.
    missing_integers: Vec<i64>,
    /// Factor that items are multiplied by, and offset that is then added.
    scaling: Option<(f64, f64)>,
    /// Type that items are scaled in: a float, or int64, where items lose their fraction first and no offset is added.
    precision: Numeric,
    /// Whether items become 0 or 1: 1 unless they equal 0, also for NaN.
    is_truth: bool,
    /// Number of level 0, and levels per unit.
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

    /// Bytes of an item before and after the cast.
    #[must_use]
    pub fn sizes(&self) -> (usize, usize) {
        let source = match self.source {
            Source::Number(number) => number.size(),
            Source::MiniFloat(format) => format.item_size(),
        };
        (self.parts * source, self.parts * self.target.size())
    }

    /// The part of an error message that says why a number does not fit.
    pub(crate) fn refusal(&self) -> String {
        if self.is_exact {
            return "beyond 2^53, so a JavaScript number would round it; read without int64: \"number\""
                .to_owned();
        }
        let holder = if self.target.is_float() { self.precision } else { self.target };
        format!("which {holder} cannot hold; read the items as a type that can")
    }

    /// The minimum and maximum of the numbers so far, in the target type; `None` if there were none.
    pub(crate) fn range(&self, tracker: &RangeTracker) -> Option<(f64, f64)> {
        // Integers lose their fraction, and -0.5 also its sign; levels are made of numbers with fractions.
        let loses_fraction = !self.target.is_float() && self.levels.is_none();
        let made =
            |number: f64| if loses_fraction { number.trunc() + 0.0 } else { self.target.rounded(number) };
        (self.sees_range && tracker.least <= tracker.greatest)
            .then(|| (made(tracker.least), made(tracker.greatest)))
    }

    /// Casts contiguous items.
    pub(crate) fn items(&self, from: &[u8], to: &mut [u8], tracker: &mut RangeTracker) {
        cast_items(self.part, self, from, to, tracker);
    }

    /// Casts items that are known to fit.
    #[must_use]
    pub fn made(&self, items: &[u8]) -> Vec<u8> {
        let (size, new_size) = self.sizes();
        let mut made = vec![0; items.len() / size * new_size];
        self.items(items, &mut made, &mut RangeTracker::default());
        made
    }

    /// Casts integers to integers of another size, multiplied by the factor if there is one.
    fn integers(&self, mut number: Numeric, from: &[u8], to: &mut [u8], tracker: &mut RangeTracker) {
        let mut block = [0; BLOCK];
        let integers = &mut block[..from.len() / number.size()];
        number.integers(from, integers);
        if let Some((by, _)) = self.scaling {
            self.multiply(number, by, integers, tracker);
            number = self.precision;
        }
        if tracker.misfit.is_none() && !self.target.is_float() {
            let range = self.target.range();
            let misfit = integers.iter().map(|&bits| number.value(bits)).find(|value| !range.contains(value));
            tracker.misfit = misfit.map(Scalar::Integer);
        }
        if self.sees_range {
            integers.iter().for_each(|&bits| tracker.take(Scalar::Integer(number.value(bits)).as_f64()));
        }
        self.target.put_integers(integers, number, to);
    }

    /// Multiplies integers by a whole factor, as int64.
    #[expect(clippy::cast_possible_truncation, reason = "the factor is whole, and products are checked")]
    fn multiply(&self, number: Numeric, by: f64, integers: &mut [i64], tracker: &mut RangeTracker) {
        let range = if self.is_exact { -EXACT..=EXACT } else { self.precision.range() };
        for bits in integers {
            let product = number.value(*bits).saturating_mul(by as i128);
            if !range.contains(&product) {
                tracker.misfit = tracker.misfit.or(Some(Scalar::Float(Scalar::Integer(product).as_f64())));
            }
            *bits = product as i64;
        }
    }

    /// Casts numbers by way of `f64`.
    fn floats(&self, from: &[u8], to: &mut [u8], tracker: &mut RangeTracker) {
        let mut block = [0.0; BLOCK];
        let floats = &mut block[..to.len() / self.target.size()];
        match self.source {
            Source::MiniFloat(format) => {
                floats.iter_mut().zip(format.widened(from)).for_each(|(place, value)| *place = value.into());
            }
            Source::Number(number) if number.size() == 8 && !number.is_float() => {
                self.wide(number, from, floats, tracker);
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
            // Adding 0 turns -0, which integers do not have, into 0.
            (Some((by, _)), _) => floats.iter_mut().for_each(|float| *float = float.trunc() * by + 0.0),
        }
        if self.is_truth {
            floats.iter_mut().for_each(|float| *float = f64::from(u8::from(*float != 0.0)));
        }
        if self.sees_range {
            tracker.take_all(floats);
        }
        if self.target.is_float() {
            return self.target.put_floats(floats, to);
        }
        if let Some((least, levels)) = self.levels {
            level(floats, least, levels);
        }
        if tracker.misfit.is_none() {
            let (least, greatest) = self.target.bounds();
            // The largest 64-bit integer is no float; the next float does not fit.
            let greatest = if self.target.size() == 8 { greatest.next_down() } else { greatest };
            tracker.misfit = first_outside(floats, (least, greatest)).map(Scalar::Float);
        }
        let mut integers = [0; BLOCK];
        truncate(floats, &mut integers);
        self.target.put_integers(&integers[..floats.len()], self.target, to);
    }

    /// Reads 64-bit integers as floats, which may round them.
    fn wide(&self, number: Numeric, from: &[u8], floats: &mut [f64], tracker: &mut RangeTracker) {
        let mut block = [0; BLOCK];
        let integers = &mut block[..floats.len()];
        number.integers(from, integers);
        // Directly to float32 if that is the target: by way of float64 they would be rounded twice.
        let is_single = self.target == Numeric::Float(32) && self.scaling.is_none();
        for (float, bits) in floats.iter_mut().zip(integers) {
            *float = match (self.missing_integers.contains(bits), is_single) {
                (true, _) => f64::NAN,
                (false, true) => number.single(*bits).into(),
                (false, false) => number.double(*bits),
            };
            if self.is_exact && number.value(*bits).abs() > EXACT && !float.is_nan() {
                tracker.misfit = tracker.misfit.or(Some(Scalar::Integer(number.value(*bits))));
            }
        }
    }
}

#[later]
fn cast_items(_: Loaded<Calls>, cast: &Cast, from: &[u8], to: &mut [u8], tracker: &mut RangeTracker) {
    let (source, target) = cast.sizes();
    let (source, target) = (source / cast.parts, target / cast.parts);
    for (from, to) in from.chunks(BLOCK * source).zip(to.chunks_mut(BLOCK * target)) {
        let is_exact =
            if cast.scaling.is_some() { !cast.precision.is_float() } else { !cast.target.is_float() };
        match cast.source {
            Source::Number(number)
                if !number.is_float() && is_exact && !cast.is_truth && cast.levels.is_none() =>
            {
                cast.integers(number, from, to, tracker);
            }
            _ => cast.floats(from, to, tracker),
        }
    }
}
