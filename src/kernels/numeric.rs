//! Number types that filters and casts calculate with. Items are read as `i64` or `f64`, one of which is exact.
//!
//! Invariant: every conversion equals numpy's `astype`: integers keep their low bits, floats are rounded to the
//! nearest, ties to even, and lose their fraction where they become integers.

use std::fmt;
use std::ops::RangeInclusive;

use half::f16;

use crate::half::nearest_half;

/// Number of items that are converted at a time: enough for a tight loop, few enough for the stack.
pub const BLOCK: usize = 256;

/// Number type of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numeric {
    /// 0 or 1.
    Bool,
    /// Two's complement of 2, 4, 8, 16, 32 or 64 bits; smaller than a byte, it takes a whole byte.
    Int(u32),
    /// Unsigned, of 2, 4, 8, 16, 32 or 64 bits.
    UInt(u32),
    /// IEEE 754 of 16, 32 or 64 bits.
    Float(u32),
}

impl Numeric {
    /// Bytes of an item.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Int(bits) | Self::UInt(bits) | Self::Float(bits) => bits.div_ceil(8) as usize,
        }
    }

    /// The integers that the type holds; not meaningful for floats.
    pub fn range(self) -> RangeInclusive<i128> {
        match self {
            Self::Bool => 0..=1,
            Self::Int(bits) => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            Self::UInt(bits) => 0..=(1 << bits) - 1,
            Self::Float(_) => 0..=0,
        }
    }

    /// The largest finite float.
    pub fn largest(self) -> f64 {
        match self {
            Self::Float(16) => f16::MAX.to_f64(),
            Self::Float(32) => f32::MAX.into(),
            _ => f64::MAX,
        }
    }

    /// The integer of bits that [`Numeric::integers`] returned.
    pub fn value(self, bits: i64) -> i128 {
        if self == Self::UInt(64) { bits.cast_unsigned().into() } else { bits.into() }
    }

    /// The minimum and maximum integer, as floats.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "of 64 bits, the float after the greatest integer")]
    pub fn bounds(self) -> (f64, f64) {
        (*self.range().start() as f64, *self.range().end() as f64)
    }

    /// The nearest `f64` to the integer of bits that [`Numeric::integers`] returned.
    #[expect(clippy::cast_precision_loss, reason = "rounding is what is meant")]
    pub fn double(self, bits: i64) -> f64 {
        if self == Self::UInt(64) { bits.cast_unsigned() as f64 } else { bits as f64 }
    }

    /// The nearest `f32` to the integer of these bits; a conversion by way of `f64` would round twice.
    #[expect(clippy::cast_precision_loss, reason = "rounding is what is meant")]
    pub fn single(self, bits: i64) -> f32 {
        if self == Self::UInt(64) { bits.cast_unsigned() as f32 } else { bits as f32 }
    }

    /// The integer of one item.
    pub fn integer(self, item: &[u8]) -> i128 {
        let mut integers = [0];
        self.integers(item, &mut integers);
        self.value(integers[0])
    }

    /// The value of one item.
    pub fn float(self, item: &[u8]) -> f64 {
        let mut floats = [0.0];
        self.floats(item, &mut floats);
        floats[0]
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// The type that numpy promotes both types to.
    pub fn promoted(self, other: Self) -> Self {
        use Numeric::{Bool, Float, Int, UInt};
        match (self, other) {
            (Bool, number) | (number, Bool) => number,
            (Int(one), Int(two)) => Int(one.max(two)),
            (UInt(one), UInt(two)) => UInt(one.max(two)),
            (Float(one), Float(two)) => Float(one.max(two)),
            // A signed type of twice the bits holds an unsigned one; beyond 64 bits, numpy takes float64.
            (Int(signed), UInt(unsigned)) | (UInt(unsigned), Int(signed)) => match signed.max(2 * unsigned) {
                bits @ ..=64 => Int(bits),
                _ => Float(64),
            },
            (Float(float), Int(bits) | UInt(bits)) | (Int(bits) | UInt(bits), Float(float)) => {
                Float(float.max((2 * bits).min(64)))
            }
        }
    }

    /// Reads items as integers, booleans as 0 or 1; for uint64, the bits.
    #[inline(never)]
    pub fn integers(self, items: &[u8], integers: &mut [i64]) {
        match self {
            Self::Int(8) => read(items, integers, |item| i8::from_le_bytes(item).into()),
            Self::Int(16) => read(items, integers, |item| i16::from_le_bytes(item).into()),
            Self::Int(32) => read(items, integers, |item| i32::from_le_bytes(item).into()),
            Self::Bool => read(items, integers, |[item]| (item != 0).into()),
            Self::UInt(8) => read(items, integers, |[item]| item.into()),
            Self::UInt(16) => read(items, integers, |item| u16::from_le_bytes(item).into()),
            Self::UInt(32) => read(items, integers, |item| u32::from_le_bytes(item).into()),
            Self::Int(64) | Self::UInt(64) => read(items, integers, i64::from_le_bytes),
            // The high bits of a small integer mean nothing.
            Self::Int(bits) => read(items, integers, |[item]| i64::from(item) << (64 - bits) >> (64 - bits)),
            Self::UInt(bits) => read(items, integers, |[item]| (item & ((1 << bits) - 1)).into()),
            Self::Float(_) => {
                let mut floats = [0.0; BLOCK];
                self.floats(items, &mut floats[..integers.len()]);
                integers.iter_mut().zip(floats).for_each(|(integer, float)| *integer = truncated(float, 64));
            }
        }
    }

    /// Reads items as `f64`; integers beyond 2^53 are rounded.
    #[inline(never)]
    pub fn floats(self, items: &[u8], floats: &mut [f64]) {
        match self {
            Self::Float(16) => read(items, floats, |item| f16::from_le_bytes(item).to_f64()),
            Self::Float(32) => read(items, floats, |item| f32::from_le_bytes(item).into()),
            Self::Float(_) => read(items, floats, f64::from_le_bytes),
            // By way of 32 bits, which processors convert to floats two at a time.
            Self::Int(8) => read(items, floats, |item| i8::from_le_bytes(item).into()),
            Self::Int(16) => read(items, floats, |item| i16::from_le_bytes(item).into()),
            Self::Int(32) => read(items, floats, |item| i32::from_le_bytes(item).into()),
            Self::UInt(8) => read(items, floats, |[item]| item.into()),
            Self::UInt(16) => read(items, floats, |item| u16::from_le_bytes(item).into()),
            Self::UInt(32) => read(items, floats, |item| u32::from_le_bytes(item).into()),
            _ => {
                let mut integers = [0; BLOCK];
                self.integers(items, &mut integers[..floats.len()]);
                floats.iter_mut().zip(integers).for_each(|(float, bits)| *float = self.double(bits));
            }
        }
    }

    /// Writes integers that were read as `from` as items of this type.
    #[expect(clippy::cast_possible_truncation, reason = "as numpy does")]
    #[inline(never)]
    pub fn put_integers(self, integers: &[i64], from: Self, items: &mut [u8]) {
        match self {
            Self::Bool => write(integers, items, |integer| [u8::from(integer != 0)]),
            Self::Int(16) | Self::UInt(16) => {
                write(integers, items, |integer| (integer as i16).to_le_bytes())
            }
            Self::Int(32) | Self::UInt(32) => {
                write(integers, items, |integer| (integer as i32).to_le_bytes())
            }
            Self::Int(64) | Self::UInt(64) => write(integers, items, i64::to_le_bytes),
            Self::Int(8) | Self::UInt(8) => write(integers, items, |integer| [integer as u8]),
            Self::Int(bits) => {
                write(integers, items, |integer| [(integer << (64 - bits) >> (64 - bits)) as u8])
            }
            Self::UInt(bits) => write(integers, items, |integer| [integer as u8 & ((1 << bits) - 1)]),
            Self::Float(16) => {
                write(integers, items, |integer| f16::from_f32(from.single(integer)).to_le_bytes())
            }
            Self::Float(32) => write(integers, items, |integer| from.single(integer).to_le_bytes()),
            Self::Float(_) => write(integers, items, |integer| from.double(integer).to_le_bytes()),
        }
    }

    /// Writes floats as items of this type.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is meant")]
    #[inline(never)]
    pub fn put_floats(self, floats: &[f64], items: &mut [u8]) {
        match self {
            Self::Float(16) => write(floats, items, |float| nearest_half(float).to_le_bytes()),
            Self::Float(32) => write(floats, items, |float| (float as f32).to_le_bytes()),
            Self::Float(_) => write(floats, items, f64::to_le_bytes),
            Self::Bool => write(floats, items, |float| [u8::from(float != 0.0)]),
            Self::Int(bits) | Self::UInt(bits) => {
                let mut integers = [0; BLOCK];
                let unsigned = matches!(self, Self::UInt(64));
                for (integer, &float) in integers.iter_mut().zip(floats) {
                    *integer = if unsigned { truncated_unsigned(float) } else { truncated(float, bits) };
                }
                self.put_integers(&integers[..floats.len()], self, items);
            }
        }
    }

    /// Rounds the result of a calculation to this type's precision. One addition, subtraction, multiplication or
    /// division of such numbers is then rounded once in effect: 53 bits are at least twice the precision plus two.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is meant")]
    pub fn rounded(self, float: f64) -> f64 {
        match self {
            Self::Float(16) => nearest_half(float).to_f64(),
            Self::Float(32) => (float as f32).into(),
            _ => float,
        }
    }
}

impl fmt::Display for Numeric {
    /// The data type's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int(bits) => write!(f, "int{bits}"),
            Self::UInt(bits) => write!(f, "uint{bits}"),
            Self::Float(bits) => write!(f, "float{bits}"),
        }
    }
}

fn read<const SIZE: usize, T>(items: &[u8], values: &mut [T], value: impl Fn([u8; SIZE]) -> T) {
    values.iter_mut().zip(items.as_chunks().0).for_each(|(place, item)| *place = value(*item));
}

fn write<const SIZE: usize, T: Copy>(values: &[T], items: &mut [u8], item: impl Fn(T) -> [u8; SIZE]) {
    items.as_chunks_mut().0.iter_mut().zip(values).for_each(|(place, value)| *place = item(*value));
}

/// Drops the fraction of a float. Overflow is undefined in numpy; the result is what x86 mostly gives.
#[expect(clippy::cast_possible_truncation, reason = "in range, which is checked")]
fn truncated(float: f64, bits: u32) -> i64 {
    // Integers of 32 bits or fewer are converted by way of 32 bits.
    let limit = if bits > 32 { 63 } else { 31 };
    let limit = 2f64.powi(limit);
    if float.trunc() >= -limit && float < limit { float as i64 } else { -limit as i64 }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range, which is checked")]
fn truncated_unsigned(float: f64) -> i64 {
    if float >= 0.0 && float < 2f64.powi(64) { (float as u64).cast_signed() } else { truncated(float, 64) }
}

/// The integer that `precision` bits from the bit `offset` on are, as an integer of 64 bits.
#[must_use]
pub fn widened(bits: u64, offset: u32, precision: u32, is_signed: bool) -> u64 {
    let above = 64 - precision;
    let aligned = bits >> offset << above;
    if is_signed { (aligned.cast_signed() >> above).cast_unsigned() } else { aligned >> above }
}
