//! scaleoffset: the bits of a code and the least number, then the codes of all numbers; floats are rounded to a number of
//! decimal digits before that. Chunks whose codes would need all bits are stored as they are, after the same head.

use rectilinear_zarr_kernels::decoders::scale_offset::{Floats, Integers, floats_32, floats_64, integers};

use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::unwritten;

/// Names the values that the file states for the filter, for errors.
pub(super) const VALUES: &str = "a kind of scaling (0 or 2), its factor, a chunk's items, their class (0 or 1), bytes \
                                 (1, 2, 4 or 8), sign, byte order, and whether a fill value follows";

/// Bytes before the codes.
const HEAD: usize = 21;

/// Bytes of the least number that the head may have.
const WIDEST: u8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScaleOffset {
    kind: Kind,
    /// Items of a chunk.
    items: usize,
    /// Bytes of an item.
    size: usize,
    is_big_endian: bool,
    /// Bits of the fill value, where it has a code.
    fill: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer {
        /// Whether chunks have neither a head nor codes.
        is_plain: bool,
    },
    Float {
        /// Decimal digits after the point.
        digits: i32,
    },
}

impl ScaleOffset {
    /// The filter of these values.
    pub(super) fn new(values: &[u32]) -> Option<Self> {
        let [scaling, factor, items, class, size, _, order, has_fill] = *values.first_chunk()?;
        let kind = match (scaling, class, size) {
            (2, 0, 1 | 2 | 4 | 8) => Kind::Integer { is_plain: factor == 8 * size },
            (0, 1, 4 | 8) => Kind::Float { digits: factor.cast_signed() },
            _ => return None,
        };
        let bits = |nth: usize| u64::from(values.get(nth).copied().unwrap_or(0));
        let fill = match has_fill {
            0 => None,
            1 => Some(bits(8) | if size == 8 { bits(9) << 32 } else { 0 }),
            _ => return None,
        };
        let is_big_endian = Some(order == 1).filter(|_| order <= 1)?;
        Some(Self { kind, items: items as usize, size: size as usize, is_big_endian, fill })
    }

    /// The content.
    pub(super) fn decode(self, codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
        let length = self.items.saturating_mul(self.size);
        size.check(codec, length)?;
        let short = |least: usize| Error::codec(codec, encoded.len(), format!("at least {least} bytes"));
        if self.kind == (Kind::Integer { is_plain: true }) {
            return Ok(encoded.get(..length).ok_or_else(|| short(length))?.to_vec());
        }
        let (head, codes) = encoded.split_first_chunk::<HEAD>().ok_or_else(|| short(HEAD))?;
        let bits = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let whole = 8 * self.size;
        if bits as usize > whole {
            let expected = format!("codes of at most {whole} bits");
            return Err(Error::codec(codec, format!("codes of {bits} bits"), expected));
        }
        let least = HEAD.saturating_add(self.items.saturating_mul(bits as usize).div_ceil(8));
        if encoded.len() < least {
            return Err(short(least));
        }
        let mut content = unwritten(length)?;
        if bits as usize == whole {
            // They are in the order of the processor that wrote them: all that are left are little endian.
            content.copy_from_slice(&codes[..length]);
            if self.is_big_endian {
                content.chunks_exact_mut(self.size).for_each(<[u8]>::reverse);
            }
            return Ok(content);
        }
        let width = head[4].min(WIDEST);
        let number = head[5..].iter().take(width.into()).rev();
        let number = number.fold(0, |number, byte| number << 8 | u64::from(*byte));
        self.numbers(codes, bits, number, &mut content).ok_or_else(|| short(least))?;
        Ok(content)
    }

    /// Writes the numbers of codes of fewer bits than a number has.
    #[expect(clippy::cast_possible_truncation, reason = "bits of a float are the lower ones")]
    fn numbers(self, codes: &[u8], bits: u32, least: u64, content: &mut [u8]) -> Option<()> {
        let (size, is_big_endian) = (self.size, self.is_big_endian);
        match self.kind {
            Kind::Integer { .. } => {
                integers(codes, &Integers { bits, least, fill: self.fill }, size, is_big_endian, content)
            }
            Kind::Float { digits } if size == 4 => {
                let float = |bits: u64| f32::from_bits(bits as u32);
                let (least, fill) = (float(least), self.fill.map(float));
                let meaning = Floats { bits, least, scale: power(digits) as f32, fill };
                floats_32(codes, &meaning, is_big_endian, content)
            }
            Kind::Float { digits } => {
                let fill = self.fill.map(f64::from_bits);
                let meaning = Floats { bits, least: f64::from_bits(least), scale: power(digits), fill };
                floats_64(codes, &meaning, is_big_endian, content)
            }
        }
    }
}

/// A power of ten; those that a float is, and their inverses, are exactly rounded.
fn power(digits: i32) -> f64 {
    let whole = 10_f64.powi(digits.saturating_abs());
    if digits < 0 { 1.0 / whole } else { whole }
}
