//! `numcodecs.packbits`: eight booleans in a byte, the first in the highest bit. The first byte counts the padding
//! bits.
//!
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/packbits.html>
//!
//! ```json
//! { "name": "numcodecs.packbits" }
//! ```

use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, Named};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension, Kind};
use crate::output::memory::buffer;
use crate::output::{Decoded, c_strides};

const NAME: &str = BooleanBits::NAMES[0];

/// The codec, which has no configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BooleanBits;

impl ArrayToArrayCodec for BooleanBits {
    /// The next codec encodes bytes on one axis.
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        extension.settings().only_fields(&[])?;
        match DataType::scalar("uint8") {
            Some(data_type) if *input.data_type.kind() == Kind::Bool => {
                Ok((Self, CodecInput { data_type, fill_value: input.fill_value.clone(), rank: 1 }))
            }
            _ => {
                let reason = format!("{NAME} cannot decode {}: expected bool", input.data_type.name());
                Err(Error::metadata(extension.pointer.as_str(), reason))
            }
        }
    }

    /// The byte that counts the padding bits, and a byte for each eight items.
    fn encoded_shape(&self, shape: &[u64]) -> Result<Vec<u64>> {
        let items = shape.iter().fold(1u64, |items, &edge| items.saturating_mul(edge));
        Ok(vec![1 + items.div_ceil(8)])
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let (shape, encoded_shape) = (shapes.decoded, shapes.encoded);
        let encoded = encoded.into_c_order(encoded_shape, 1)?;
        let strides = c_strides(shape, 1)?;
        let (first, bytes) = encoded.bytes.split_first().unwrap_or((&0, &[]));
        // c_strides has checked that the product of all axes but the first one fits into memory.
        let count = shape.iter().fold(1u64, |items, &edge| items.saturating_mul(edge));
        let padding = (8 - count % 8) % 8;
        if u64::from(*first) != padding {
            return Err(Error::codec(
                NAME,
                format!("{first} bits left over"),
                format!("{padding} bits left over"),
            ));
        }
        let mut items = buffer(bytes.len().saturating_mul(8))?;
        for (eight, byte) in items.as_chunks_mut::<8>().0.iter_mut().zip(bytes) {
            *eight = std::array::from_fn(|at| byte >> (7 - at) & 1);
        }
        items.truncate(items.len() - usize::from(*first));
        Ok(Decoded { bytes: items.into(), strides, heap: (&[]).into(), reversed: None })
    }
}
