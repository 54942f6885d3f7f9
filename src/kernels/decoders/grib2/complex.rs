//! Complex packing: points in groups with a reference and a width of their own, stored as they are or as differences.
//!
//! The section begins with the first values of the differences, then has three lists (references, widths and lengths of
//! the groups), each of which begins on a whole byte, and then the numbers of the points.

use super::{CUT_SHORT, MAX_BITS, Scale};
use crate::decoders::bits::Bits;

/// Missing points, by code table 5.5: the largest number of a group stands for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// No number stands for a missing point.
    Never,
    /// All ones.
    Primary,
    /// All ones, and the number before it.
    PrimaryAndSecondary,
}

/// Parameters of data templates 2 and 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups {
    /// Number of groups.
    pub count: u32,
    /// Bits of a group's reference.
    pub reference_bits: u32,
    /// Width of a group, in bits, of which the list holds zero.
    pub width_reference: u32,
    /// Bits of a width in its list.
    pub width_bits: u32,
    /// Length of a group, in points, of which the list holds zero.
    pub length_reference: u32,
    /// Points that one more in the list stands for.
    pub length_increment: u32,
    /// Length of the last group.
    pub last_length: u32,
    /// Bits of a length in its list.
    pub length_bits: u32,
    /// Numbers that stand for missing points.
    pub missing: Missing,
    /// Order of the differences: 0 for none, 1 or 2.
    pub order: u8,
    /// Bytes of each first value, and of the least difference.
    pub first_value_bytes: u8,
}

impl Groups {
    /// The missing points' number among numbers of `width` bits.
    fn is_missing(&self, number: u32, width: u32) -> bool {
        let ones = ((1_u64 << width) - 1) as u32;
        match self.missing {
            Missing::Never => false,
            Missing::Primary => number == ones,
            Missing::PrimaryAndSecondary => number == ones || Some(number) == ones.checked_sub(1),
        }
    }
}

/// Running sums that undo the differences of the points that are not missing.
struct Sums {
    order: u8,
    /// The least difference, which was subtracted from all of them.
    least: i64,
    /// First values that are still to come, the next one first.
    first: [i64; 2],
    left: u8,
    /// The last value and the one before it.
    last: i64,
    before: i64,
}

impl Sums {
    /// Reads the first values and the least difference, and returns the bytes after them.
    fn read<'a>(data: &'a [u8], groups: &Groups) -> Result<(Self, &'a [u8]), &'static str> {
        let mut bits = Bits::new(data);
        let mut values = [0; 3];
        let count = if groups.order == 0 { 0 } else { groups.order + 1 };
        for value in &mut values[..usize::from(count)] {
            *value = signed(&mut bits, groups.first_value_bytes).ok_or(CUT_SHORT)?;
        }
        let least = values[usize::from(groups.order)];
        let [first, second, _] = values;
        let sums = Self {
            order: groups.order,
            least,
            first: [first, second],
            left: groups.order,
            last: 0,
            before: 0,
        };
        Ok((sums, bits.rest()))
    }

    /// The value that a number stands for.
    #[inline]
    fn next(&mut self, number: i64) -> i64 {
        let difference = number.wrapping_add(self.least);
        let value = match self.order {
            0 => return number,
            _ if self.left > 0 => {
                self.left -= 1;
                let [first, second] = self.first;
                self.first = [second, 0];
                first
            }
            1 => difference.wrapping_add(self.last),
            _ => difference.wrapping_add(self.last).wrapping_add(self.last).wrapping_sub(self.before),
        };
        (self.before, self.last) = (self.last, value);
        value
    }
}

/// A number of up to eight bytes whose first bit is its sign.
fn signed(bits: &mut Bits<'_>, bytes: u8) -> Option<i64> {
    let mut magnitude = 0_i64;
    let is_negative = bytes > 0 && bits.number(1)? == 1;
    for nth in 0..u32::from(bytes) {
        let width = if nth == 0 { 7 } else { 8 };
        magnitude = magnitude.wrapping_shl(8) | i64::from(bits.number(width)?);
    }
    Some(if is_negative { magnitude.wrapping_neg() } else { magnitude })
}

/// A list of the groups' numbers, and the bytes after it.
fn list<'a>(data: &'a [u8], count: u32, width: u32) -> Result<(Bits<'a>, &'a [u8]), &'static str> {
    let bytes = (u64::from(count) * u64::from(width)).div_ceil(8);
    let bytes = usize::try_from(bytes).map_err(|_| CUT_SHORT)?;
    let (list, rest) = data.split_at_checked(bytes).ok_or(CUT_SHORT)?;
    Ok((Bits::new(list), rest))
}

/// Unpacks the points of all groups.
///
/// # Errors
/// The damage, in words.
#[inline(never)]
pub fn complex(data: &[u8], groups: &Groups, scale: &Scale, points: &mut [f64]) -> Result<(), &'static str> {
    let widest = groups.reference_bits.max(groups.width_bits).max(groups.length_bits);
    if widest > MAX_BITS || groups.order > 2 || groups.first_value_bytes > 8 {
        return Err("numbers of more bits than there may be");
    }
    // Each group has a point, so that the loop is as long as the points at most.
    if groups.count as usize > points.len() {
        return Err("more groups than points");
    }
    let (mut sums, data) = Sums::read(data, groups)?;
    let (mut references, data) = list(data, groups.count, groups.reference_bits)?;
    let (mut widths, data) = list(data, groups.count, groups.width_bits)?;
    let (mut lengths, data) = list(data, groups.count, groups.length_bits)?;
    let mut numbers = Bits::new(data);
    let mut left = points;
    for nth in 1..=groups.count {
        let reference = references.number(groups.reference_bits).ok_or(CUT_SHORT)?;
        let width = widths.number(groups.width_bits).ok_or(CUT_SHORT)?.saturating_add(groups.width_reference);
        if width > MAX_BITS {
            return Err("a group of wider numbers than there may be");
        }
        let scaled = u64::from(lengths.number(groups.length_bits).ok_or(CUT_SHORT)?);
        let length = if nth == groups.count {
            u64::from(groups.last_length)
        } else {
            scaled * u64::from(groups.length_increment) + u64::from(groups.length_reference)
        };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (group, rest) =
            left.split_at_mut_checked(length).ok_or("groups of more points than there are")?;
        left = rest;
        let is_gone = width == 0 && groups.is_missing(reference, groups.reference_bits);
        for point in group {
            let number = numbers.number(width).ok_or(CUT_SHORT)?;
            *point = if is_gone || width > 0 && groups.is_missing(number, width) {
                f64::NAN
            } else {
                scale.value(sums.next(i64::from(reference) + i64::from(number)) as f64)
            };
        }
    }
    if left.is_empty() { Ok(()) } else { Err("groups of fewer points than there are") }
}
