//! nbit: only the bits of items that have a meaning, most significant bit first, without gaps between them.

use rectilinear_zarr_kernels::decoders::bits::Bits;
use rectilinear_zarr_kernels::numeric::widened;

use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::buffer;

/// Names the values that the file states for the filter, for errors.
pub(super) const VALUES: &str = "the number of values, whether items are stored as they are, a chunk's items, and the parts of an \
                                 item";

/// Most parts within each other.
const DEEPEST: u8 = 16;

/// Most bytes of an item.
const MOST_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Nbit {
    /// Whether items are stored as they are.
    is_plain: bool,
    /// Items of a chunk.
    items: usize,
    /// Bytes of an item.
    size: usize,
    part: Part,
    /// Whether items are integers with a sign, where they are integers of all bits in the end.
    is_signed: Option<bool>,
}

/// A part of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// A number, whose lowest bits may have no meaning, as its highest ones.
    Number { size: usize, is_big_endian: bool, precision: usize, offset: usize },
    /// Parts of one kind, one after the other, with the bytes of one.
    List { size: usize, step: usize, part: Box<Self> },
    /// Parts at offsets.
    Struct { size: usize, members: Vec<(usize, Self)> },
    /// Bytes whose bits all have a meaning.
    Bytes { size: usize },
}

impl Nbit {
    /// The filter of these values.
    pub(super) fn new(values: &[u32], is_signed: Option<bool>) -> Option<Self> {
        let [_, is_plain, items] = *values.first_chunk()?;
        let mut rest = values.get(3..)?;
        let part = Part::parse(&mut rest, 0)?;
        if is_signed.is_some() && !matches!(part, Part::Number { size: ..=8, .. }) {
            return None;
        }
        Some(Self { is_plain: is_plain != 0, items: items as usize, size: part.size(), part, is_signed })
    }

    /// The content.
    pub(super) fn decode(&self, codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
        let length = self.items.saturating_mul(self.size);
        size.check(codec, length)?;
        let least =
            if self.is_plain { length } else { self.items.saturating_mul(self.part.bits()).div_ceil(8) };
        let short = || Error::codec(codec, encoded.len(), format!("at least {least} bytes"));
        let mut content = buffer(if encoded.len() < least { 0 } else { length })?;
        if self.is_plain {
            content.copy_from_slice(encoded.get(..length).ok_or_else(short)?);
        } else {
            let mut bits = Bits::new(encoded.get(..least).ok_or_else(short)?);
            for item in content.chunks_exact_mut(self.size) {
                self.part.put(&mut bits, item).ok_or_else(short)?;
            }
        }
        if let (Some(is_signed), Part::Number { is_big_endian, precision, offset, .. }) =
            (self.is_signed, &self.part)
        {
            let number =
                Number { is_signed, is_big_endian: *is_big_endian, precision: *precision, offset: *offset };
            content.chunks_exact_mut(self.size).for_each(|item| number.widen(item));
        }
        Ok(content)
    }
}

/// An integer in some bits of its bytes.
struct Number {
    is_signed: bool,
    is_big_endian: bool,
    precision: usize,
    offset: usize,
}

impl Number {
    /// Makes an item of at most eight bytes an integer of all its bits.
    fn widen(&self, item: &mut [u8]) {
        if self.is_big_endian {
            item.reverse();
        }
        let found = item.iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
        let whole = widened(found, self.offset as u32, self.precision as u32, self.is_signed);
        let length = item.len();
        item.copy_from_slice(&whole.to_le_bytes()[..length]);
        if self.is_big_endian {
            item.reverse();
        }
    }
}

impl Part {
    /// Parses a part at the start of values.
    fn parse(values: &mut &[u32], depth: u8) -> Option<Self> {
        if depth > DEEPEST {
            return None;
        }
        let mut next = || {
            let (first, rest) = values.split_first()?;
            *values = rest;
            Some(*first as usize)
        };
        let (kind, size) = (next()?, next()?);
        if !(1..=MOST_BYTES).contains(&size) {
            return None;
        }
        match kind {
            1 => {
                let (order, precision, offset) = (next()?, next()?, next()?);
                let is_possible = order <= 1 && precision > 0 && precision.checked_add(offset)? <= 8 * size;
                let is_big_endian = order == 1;
                is_possible.then_some(Self::Number { size, is_big_endian, precision, offset })
            }
            2 => {
                let part = Self::parse(values, depth + 1)?;
                let step = part.size();
                (size.is_multiple_of(step)).then(|| Self::List { size, step, part: Box::new(part) })
            }
            3 => {
                let count = next()?;
                let mut members = Vec::new();
                for _ in 0..count {
                    let (offset, rest) = values.split_first()?;
                    *values = rest;
                    let offset = *offset as usize;
                    let part = Self::parse(values, depth + 1)?;
                    if offset.checked_add(part.size())? > size {
                        return None;
                    }
                    members.push((offset, part));
                }
                Some(Self::Struct { size, members })
            }
            4 => Some(Self::Bytes { size }),
            _ => None,
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Number { size, .. }
            | Self::List { size, .. }
            | Self::Struct { size, .. }
            | Self::Bytes { size } => *size,
        }
    }

    /// Bits that have a meaning.
    fn bits(&self) -> usize {
        match self {
            Self::Number { precision, .. } => *precision,
            Self::List { size, step, part } => (size / step).saturating_mul(part.bits()),
            Self::Struct { members, .. } => {
                members.iter().fold(0, |bits, (_, part)| bits.saturating_add(part.bits()))
            }
            Self::Bytes { size } => 8 * size,
        }
    }

    /// Writes the part of an item, whose bytes are zeros; `None` where too few bits are left.
    fn put(&self, bits: &mut Bits<'_>, item: &mut [u8]) -> Option<()> {
        match self {
            Self::Number { size, is_big_endian, precision, offset } => {
                let mut end = *precision + *offset;
                // From the highest bits down, a byte at a time.
                while end > *offset {
                    let byte = (end - 1) / 8;
                    let low = (*offset).max(8 * byte);
                    let value = bits.number((end - low) as u32)? << (low % 8);
                    item[if *is_big_endian { size - 1 - byte } else { byte }] = value as u8;
                    end = low;
                }
            }
            Self::List { step, part, .. } => {
                for item in item.chunks_exact_mut(*step) {
                    part.put(bits, item)?;
                }
            }
            Self::Struct { members, .. } => {
                for (offset, part) in members {
                    part.put(bits, item.get_mut(*offset..*offset + part.size())?)?;
                }
            }
            Self::Bytes { .. } => {
                for byte in item {
                    *byte = bits.number(8)? as u8;
                }
            }
        }
        Some(())
    }
}
