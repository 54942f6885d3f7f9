//! Numbers of HDF5's filter scaleoffset: codes of a fixed number of bits, most significant bit first, each the difference
//! from the least number, or all ones where the number is the fill value.

use super::bits::Bits;

/// Most bits that are read at once.
const MOST_AT_ONCE: u32 = 32;

/// Meaning of codes as integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integers {
    /// Bits of a code, fewer than 64.
    pub bits: u32,
    /// The least number.
    pub least: u64,
    /// The number of the code whose bits are all ones, where one is.
    pub fill: Option<u64>,
}

/// Decodes integers of `size` bytes, in either byte order; `None` where the codes end early.
#[inline(never)]
#[must_use]
pub fn integers(
    codes: &[u8],
    meaning: &Integers,
    size: usize,
    is_big_endian: bool,
    items: &mut [u8],
) -> Option<()> {
    let mut codes = Codes::new(codes, meaning.bits)?;
    for item in items.chunks_exact_mut(size) {
        let number = match (codes.next()?, meaning.fill) {
            (code, Some(fill)) if code == codes.ones => fill,
            (code, _) => code.wrapping_add(meaning.least),
        };
        put(&number.to_le_bytes()[..size], is_big_endian, item);
    }
    Some(())
}

/// Meaning of codes as floats, of which `scale` are one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floats<T> {
    /// Bits of a code, fewer than those of a float.
    pub bits: u32,
    /// The least number.
    pub least: T,
    /// What a code is divided by.
    pub scale: T,
    /// The number of the code whose bits are all ones, where one is.
    pub fill: Option<T>,
}

/// Writes a function that decodes floats of a type.
macro_rules! floats {
    ($name:ident, $float:ty, $signed:ty, $doc:literal) => {
        #[doc = $doc]
        #[inline(never)]
        #[must_use]
        pub fn $name(
            codes: &[u8],
            meaning: &Floats<$float>,
            is_big_endian: bool,
            items: &mut [u8],
        ) -> Option<()> {
            let mut codes = Codes::new(codes, meaning.bits)?;
            for item in items.as_chunks_mut::<{ size_of::<$float>() }>().0 {
                let number = match (codes.next()?, meaning.fill) {
                    (code, Some(fill)) if code == codes.ones => fill,
                    (code, _) => (code as $signed) as $float / meaning.scale + meaning.least,
                };
                put(&number.to_le_bytes(), is_big_endian, item);
            }
            Some(())
        }
    };
}
floats!(floats_32, f32, i32, "Decodes floats of four bytes; `None` where the codes end early.");
floats!(floats_64, f64, i64, "Decodes floats of eight bytes; `None` where the codes end early.");

/// A reader of codes.
struct Codes<'a> {
    bits: Bits<'a>,
    width: u32,
    /// The code whose bits are all ones.
    ones: u64,
}

impl<'a> Codes<'a> {
    fn new(codes: &'a [u8], width: u32) -> Option<Self> {
        let ones = 1_u64.checked_shl(width)? - 1;
        Some(Self { bits: Bits::new(codes), width, ones })
    }

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let low = self.width.min(MOST_AT_ONCE);
        let upper = u64::from(self.bits.number(self.width - low)?);
        Some(upper << low | u64::from(self.bits.number(low)?))
    }
}

/// Writes the bytes of a number, which are given little endian.
#[inline]
fn put(bytes: &[u8], is_big_endian: bool, item: &mut [u8]) {
    item.copy_from_slice(bytes);
    if is_big_endian {
        item.reverse();
    }
}
