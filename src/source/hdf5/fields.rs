//! Fields of a structure, read one after the other; all numbers are little endian.

use super::fault::{Fault, Parsed};
use crate::source::original::text_of;

/// Bytes of the addresses and lengths in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths {
    pub(super) address: usize,
    pub(super) length: usize,
}

/// Bytes of a structure, and how far they were read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    widths: Widths,
}

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8], widths: Widths) -> Self {
        Self { bytes, at: 0, widths }
    }

    /// Fields of other bytes of the same file.
    pub(super) fn of(&self, bytes: &'a [u8]) -> Self {
        Self::new(bytes, self.widths)
    }

    /// Bytes of addresses and lengths.
    pub(super) fn widths(&self) -> Widths {
        self.widths
    }

    /// Number of bytes that were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Bytes that were not read.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Parsed<&'a [u8]> {
        let found = self.rest().get(..count).ok_or(Fault::Short)?;
        self.at += count;
        Ok(found)
    }

    /// The next bytes, as many as a number that the file states.
    pub(super) fn counted(&mut self, count: u64) -> Parsed<&'a [u8]> {
        self.bytes(usize::try_from(count).map_err(|_| Fault::Short)?)
    }

    /// A number of up to eight bytes.
    pub(super) fn number(&mut self, width: usize) -> Parsed<u64> {
        Ok(number(self.bytes(width)?))
    }

    pub(super) fn u8(&mut self) -> Parsed<u8> {
        Ok(self.bytes(1)?[0])
    }

    pub(super) fn u16(&mut self) -> Parsed<u16> {
        let bytes = self.bytes(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn u32(&mut self) -> Parsed<u32> {
        let bytes = self.bytes(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// An address; `None` where it is undefined.
    pub(super) fn address(&mut self) -> Parsed<Option<u64>> {
        Ok(defined(self.bytes(self.widths.address)?))
    }

    /// A length that is a limit; `None` where there is none.
    pub(super) fn limit(&mut self) -> Parsed<Option<u64>> {
        Ok(defined(self.bytes(self.widths.length)?))
    }

    /// An address that must be defined.
    pub(super) fn place(&mut self) -> Parsed<u64> {
        self.address()?.ok_or(Fault::Damaged("an address is undefined"))
    }

    /// A length.
    pub(super) fn length(&mut self) -> Parsed<u64> {
        self.number(self.widths.length)
    }

    /// Skips bytes up to a multiple of eight from the start.
    pub(super) fn align(&mut self) {
        self.at = self.at.next_multiple_of(8).min(self.bytes.len());
    }

    /// Checks a signature.
    pub(super) fn signature(&mut self, expected: &[u8]) -> Parsed<()> {
        if self.bytes(expected.len())? == expected {
            Ok(())
        } else {
            Err(Fault::Damaged("its signature differs"))
        }
    }

    /// Text up to a zero, which is read too.
    pub(super) fn text(&mut self) -> Parsed<String> {
        let length = self.rest().iter().position(|byte| *byte == 0).ok_or(Fault::Short)?;
        let text = self.bytes(length)?;
        self.at += 1;
        Ok(text_of(text))
    }
}

/// A little-endian number, all of whose bits are set where it is undefined.
fn defined(bytes: &[u8]) -> Option<u64> {
    bytes.iter().any(|byte| *byte != 0xff).then(|| number(bytes))
}

/// A little-endian number of at most eight bytes.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Bytes that a number up to this limit takes.
pub(super) fn width_of(limit: u64) -> usize {
    (limit.checked_ilog2().unwrap_or(0) / 8 + 1) as usize
}
