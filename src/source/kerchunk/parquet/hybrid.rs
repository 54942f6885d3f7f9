//! Runs of equal numbers and groups of packed ones, in which Parquet writes levels and indices of dictionaries.
//!
//! Spec: <https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE>

use super::faults::damaged;
use super::thrift::varint;
use crate::error::Result;

/// Widest numbers, in bits.
const WIDEST: u32 = 32;

/// Numbers of a fixed width in bits.
pub(super) struct Hybrid<'a> {
    rest: &'a [u8],
    width: u32,
}

impl<'a> Hybrid<'a> {
    pub(super) fn new(runs: &'a [u8], width: u32) -> Self {
        Self { rest: runs, width }
    }

    /// The first numbers, this many. The caller bounds the count.
    pub(super) fn numbers(mut self, count: usize) -> Result<Vec<u32>> {
        let mut numbers = Vec::with_capacity(count);
        if self.width > WIDEST {
            return Err(damaged(format!("it has numbers of {} bits", self.width)));
        }
        if self.width == 0 {
            numbers.resize(count, 0);
        }
        while numbers.len() < count {
            let wanted = count - numbers.len();
            let head = varint(&mut self.rest)?;
            let length = usize::try_from(head >> 1).unwrap_or(usize::MAX);
            match head & 1 {
                0 => {
                    let number = self.number(self.width.div_ceil(8))?;
                    numbers.resize(count - wanted + length.min(wanted), number);
                }
                _ => self.packed(length.saturating_mul(8).min(wanted), length, &mut numbers)?,
            }
        }
        Ok(numbers)
    }

    /// A number of so many bytes.
    fn number(&mut self, bytes: u32) -> Result<u32> {
        let taken = self.rest.split_at_checked(bytes as usize);
        let (taken, rest) = taken.ok_or_else(|| damaged("a run of numbers ends too early"))?;
        self.rest = rest;
        Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    /// Adds the first `count` numbers of groups of eight. Writers may leave out the end of the last group.
    fn packed(&mut self, count: usize, groups: usize, numbers: &mut Vec<u32>) -> Result<()> {
        let width = self.width as usize;
        if (count * width).div_ceil(8) > self.rest.len() {
            return Err(damaged("a group of numbers ends too early"));
        }
        let mask = u64::MAX >> (64 - width);
        for nth in 0..count {
            let bit = nth * width;
            // At most 39 bits are needed: seven before the number, and 32 of it.
            let mut bytes = [0; 8];
            let from = &self.rest[bit / 8..];
            let length = from.len().min(5);
            bytes[..length].copy_from_slice(&from[..length]);
            let number = u64::from_le_bytes(bytes) >> (bit % 8) & mask;
            numbers.push(u32::try_from(number).unwrap_or(u32::MAX));
        }
        let taken = groups.saturating_mul(width).min(self.rest.len());
        self.rest = &self.rest[taken..];
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_run_that_says_it_is_longer_than_its_page_gives_what_the_page_has() {
        let billions = [0xfe, 0xff, 0xff, 0xff, 0x0f, 1];
        assert_eq!(Hybrid::new(&billions, 1).numbers(5).unwrap(), [1; 5]);
        let after_another = [&[4, 0][..], &billions].concat();
        assert_eq!(Hybrid::new(&after_another, 1).numbers(5).unwrap(), [0, 0, 1, 1, 1]);
    }

    #[test]
    fn groups_that_say_they_are_more_than_their_page_has_give_what_it_has() {
        let groups = [0xff, 0xff, 0xff, 0xff, 0x0f, 0b1010_0101];
        assert_eq!(Hybrid::new(&groups, 1).numbers(5).unwrap(), [1, 0, 1, 0, 0]);
        assert!(Hybrid::new(&groups, 1).numbers(9).is_err());
    }
}
