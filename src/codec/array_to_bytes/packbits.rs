//! `packbits`: a range of bits of each number, packed one number after the other, lowest bit first.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/packbits>
//!
//! ```json
//! { "name": "packbits", "configuration": { "padding_encoding": "first_byte", "first_bit": 0, "last_bit": 11 } }
//! ```

use std::borrow::Cow;

use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension, Json, Kind};
use crate::output::Decoded;
use crate::output::memory::{buffer, to_memory};

const NAME: &str = PackBits::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackBits {
    padding: Padding,
    number: BitLayout,
    first_bit: u32,
    last_bit: u32,
}

/// Layout of the numbers in an item: one number, or two for complex types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BitLayout {
    /// Bytes of a number in memory.
    size: usize,
    /// Bits of a number that carry its value, the lowest ones.
    bits: u32,
    signed: bool,
}

/// Place of the byte that counts the padding bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Padding {
    FirstByte,
    LastByte,
    Nowhere,
}

impl ArrayToBytesCodec for PackBits {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let data_type = &input.data_type;
        let settings = extension.settings();
        settings.only_fields(&["padding_encoding", "first_bit", "last_bit"])?;
        let padding = match settings.field("padding_encoding") {
            None => Padding::Nowhere,
            Some(field) => match field.value().as_str() {
                Some("none") => Padding::Nowhere,
                Some("first_byte") => Padding::FirstByte,
                Some("last_byte") => Padding::LastByte,
                _ => return Err(field.expected("\"none\", \"first_byte\" or \"last_byte\"")),
            },
        };
        let number = BitLayout::of(data_type).ok_or_else(|| {
            let reason = format!("{NAME} cannot decode {}: expected bool or numbers", data_type.name());
            Error::metadata(extension.pointer.as_str(), reason)
        })?;
        let bit = |name, default: u32| {
            let field = settings.field(name).filter(|field: &Json<'_>| !field.value().is_null());
            let Some(field) = field else { return Ok(default) };
            let bit = field.value().as_u64().and_then(|bit| u32::try_from(bit).ok());
            bit.filter(|bit| *bit < number.bits)
                .ok_or_else(|| field.expected(&format!("a bit from 0 to {}", number.bits - 1)))
        };
        let (first_bit, last_bit) = (bit("first_bit", 0)?, bit("last_bit", number.bits - 1)?);
        if last_bit < first_bit {
            return Err(
                settings.invalid(format!("\"last_bit\" {last_bit} is before \"first_bit\" {first_bit}"))
            );
        }
        Ok(Self { padding, number, first_bit, last_bit })
    }

    fn encoded_size(&self, _: &ArraySpec<'_>, whole: usize) -> Result<Size> {
        Ok(self.packed_size(whole))
    }

    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let bytes = self.unpacked(encoded, to_memory(spec.size())?)?;
        Ok(Decoded { bytes, strides, ..Decoded::default() })
    }
}

impl PackBits {
    /// Size of the encoded chunk for `decoded` bytes of items.
    fn packed_size(&self, decoded: usize) -> Size {
        let bits = (decoded / self.number.size) as u128 * u128::from(self.bits());
        let bytes = usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX);
        Size::Exactly(bytes.saturating_add(usize::from(self.padding != Padding::Nowhere)))
    }

    /// Decodes to `decoded` bytes of items.
    fn unpacked<'a>(&self, encoded: Cow<'a, [u8]>, decoded: usize) -> Result<Cow<'a, [u8]>> {
        self.packed_size(decoded).check(NAME, encoded.len())?;
        let (padding, packed) = match (self.padding, encoded.as_ref()) {
            (Padding::FirstByte, [padding, packed @ ..]) | (Padding::LastByte, [packed @ .., padding]) => {
                (Some(*padding), packed)
            }
            (_, packed) => (None, packed),
        };
        let bits = self.bits();
        let left = packed.len() as u128 * 8 - (decoded / self.number.size) as u128 * u128::from(bits);
        if padding.is_some_and(|padding| u128::from(padding) != left) {
            let got = format!("{} bits left over", padding.unwrap_or_default());
            return Err(Error::codec(NAME, got, format!("{left} bits left over")));
        }
        if bits as usize == 8 * self.number.size && padding.is_none() {
            return Ok(encoded);
        }
        let mut items = buffer(to_memory(decoded as u64)?)?;
        let mask = (1u128 << bits) - 1;
        let unused = 64 - bits;
        let (mut held, mut count) = (0u128, 0);
        let mut bytes = packed.iter();
        for item in items.chunks_exact_mut(self.number.size) {
            while count < bits {
                held |= u128::from(*bytes.next().unwrap_or(&0)) << count;
                count += 8;
            }
            let value = u64::try_from(held & mask).unwrap_or_default();
            held >>= bits;
            count -= bits;
            let value = if self.number.signed {
                ((value << unused).cast_signed() >> unused).cast_unsigned()
            } else {
                value
            };
            item.copy_from_slice(&(value << self.first_bit).to_le_bytes()[..self.number.size]);
        }
        Ok(Cow::Owned(items))
    }

    /// Number of bits stored of each number.
    fn bits(&self) -> u32 {
        self.last_bit - self.first_bit + 1
    }
}

impl BitLayout {
    fn of(data_type: &DataType) -> Option<Self> {
        let size = data_type.item_size();
        let whole = 8 * u32::try_from(size).ok()?;
        let (bits, signed) = match data_type.kind() {
            Kind::Bool => (1, false),
            Kind::Int | Kind::Time { .. } => (whole, true),
            Kind::UInt | Kind::Float => (whole, false),
            Kind::SmallInt { bits, signed } => (*bits, *signed),
            Kind::MiniFloat(format) => (format.bits(), false),
            Kind::Complex(part) => return Self::of(part),
            _ => return None,
        };
        Some(Self { size, bits, signed })
    }
}
