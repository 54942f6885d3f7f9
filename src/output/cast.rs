//! Casts of items to another number type, on their way into a result: masked, scaled, rounded once.
//!
//! Invariant: items are compared with the missing values in their own type; missing items and NaN become NaN. All other
//! items are calculated as float64, unless another precision is set, and rounded to the target type once. Items that do
//! not fit the target type are detected and never wrapped. The change of byte order comes before the cast.

use std::rc::Rc;

use rectilinear_zarr_kernels::byte_order::reversed;
use rectilinear_zarr_kernels::floats::{extremes, first_outside, level, mask, scale, scale_in, truncate};
use rectilinear_zarr_kernels::numeric::{BLOCK, Numeric};

use super::packed::{pack_number, unpack_number};
use super::scalar::Scalar;
use crate::error::{Packer, Unpacker};
use crate::metadata::{DataType, Kind, MiniFloat};
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

    /// Packs the cast for another instance of the module, for [`Cast::unpack`]; `None` of mini-floats.
    pub(crate) fn pack(&self, parts: &mut Packer) -> Option<()> {
        let Source::Number(source) = self.source else { return None };
        for number in [source, self.target, self.precision] {
            pack_number(number, parts);
        }
        let flags = [self.is_truth, self.is_exact, self.is_reinterpreted, self.sees_range].map(u64::from);
        let pair = |pair: Option<(f64, f64)>| pair.map(|(one, other)| [one.to_bits(), other.to_bits()]);
        let pairs = [pair(self.scaling), pair(self.levels)];
        parts.number(self.parts as u64).numbers(flags.into_iter());
        parts.numbers(self.missing.iter().map(|missing| missing.to_bits()));
        parts.numbers(self.missing_integers.iter().map(|missing| missing.cast_unsigned()));
        for pair in pairs {
            parts.numbers(pair.as_slice().as_flattened().iter().copied());
        }
        Some(())
    }

    /// Unpacks a cast; `None` where the bytes are others.
    pub(crate) fn unpack(part: Loaded<Calls>, parts: &mut Unpacker<'_>) -> Option<Self> {
        let mut number = || unpack_number(parts);
        let (source, target, precision) = (Source::Number(number()?), number()?, number()?);
        let numbers = parts.length().filter(|numbers| *numbers > 0)?;
        let [is_truth, is_exact, is_reinterpreted, sees_range] = parts.numbers()?.try_into().ok()?;
        let missing = parts.numbers()?.into_iter().map(f64::from_bits).collect();
        let missing_integers = parts.numbers()?.into_iter().map(u64::cast_signed).collect();
        let mut pair = || {
            let pair = parts.numbers()?;
            Some(
                pair.as_chunks().0.first().map(|[one, other]| (f64::from_bits(*one), f64::from_bits(*other))),
            )
        };
        let (scaling, levels) = (pair()?, pair()?);
        Some(Self {
            part,
            source,
            target,
            parts: numbers,
            missing,
            missing_integers,
            scaling,
            precision,
            is_truth: is_truth == 1,
            levels,
            is_exact: is_exact == 1,
            is_reinterpreted: is_reinterpreted == 1,
            sees_range: sees_range == 1,
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

/// Range of the numbers that a cast has processed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeTracker {
    pub(crate) least: f64,
    pub(crate) greatest: f64,
    /// The first number that the target cannot hold.
    pub misfit: Option<Scalar>,
}

impl Default for RangeTracker {
    fn default() -> Self {
        Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY, misfit: None }
    }
}

impl RangeTracker {
    pub(crate) fn take_all(&mut self, floats: &[f64]) {
        (self.least, self.greatest) = extremes(floats, (self.least, self.greatest));
    }

    pub(crate) fn take(&mut self, float: f64) {
        self.least = if float < self.least { float } else { self.least };
        self.greatest = if float > self.greatest { float } else { self.greatest };
    }
}

/// Transform of items: a change of byte order, and a cast.
pub(crate) struct ItemTransform {
    pub(crate) cast: Option<Rc<Cast>>,
    /// Bytes of the numbers whose byte order is reversed.
    pub(crate) reversed: Option<usize>,
}

impl ItemTransform {
    /// Whether items stay unchanged.
    pub(crate) fn is_identity(&self) -> bool {
        self.cast.is_none() && self.reversed.is_none()
    }

    /// Bytes of an item of `size` bytes, before and after the transform.
    pub(crate) fn sizes(&self, size: usize) -> (usize, usize) {
        self.cast.as_ref().map_or((size, size), |cast| cast.sizes())
    }

    /// Transforms contiguous items.
    pub(crate) fn make(&self, from: &[u8], to: &mut [u8], tracker: &mut RangeTracker) {
        match (&self.cast, self.reversed) {
            (None, None) => to.copy_from_slice(from),
            (None, Some(size)) => reversed(size, from, to),
            (Some(cast), None) => cast.items(from, to, tracker),
            (Some(cast), Some(number)) => {
                let (size, new_size) = cast.sizes();
                let mut turned = vec![0; from.len().min(BLOCK * size)];
                for (from, to) in from.chunks(BLOCK * size).zip(to.chunks_mut(BLOCK * new_size)) {
                    let turned = &mut turned[..from.len()];
                    reversed(number, from, turned);
                    cast.items(turned, to, tracker);
                }
            }
        }
    }
}
