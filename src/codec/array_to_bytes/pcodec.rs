//! `numcodecs.pcodec`: numbers of 16, 32 or 64 bits as bins and offsets, in pco's standalone format.
//!
//! The configuration is for the encoder; the decoder reads its parameters from the data. Invariant: the data hold
//! exactly the chunk's items, in the array's data type. Spec:
//! <https://github.com/pcodec/pcodec/blob/main/docs/format.md>
//!
//! ```json
//! { "name": "numcodecs.pcodec", "configuration": { "level": 8, "mode_spec": "auto", "delta_spec": "auto",
//!   "paging_spec": "equal_pages_up_to", "delta_encoding_order": null, "equal_pages_up_to": 262144 } }
//! ```

use std::borrow::Cow;

use half::f16;
use pco::data_types::Number;
use pco::standalone::{DecompressorItem, FileDecompressor};

use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

const NAME: &str = Pcodec::NAMES[0];

/// Configuration fields for pco's encoder.
const FIELDS: &[&str] =
    &["level", "mode_spec", "delta_spec", "paging_spec", "delta_encoding_order", "equal_pages_up_to"];

/// The codec's configuration: the number type of the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pcodec {
    number: Numeric,
}

impl ArrayToBytesCodec for Pcodec {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let data_type = &input.data_type;
        extension.settings().only_fields(FIELDS)?;
        let number = data_type.numeric().filter(|number| *number != Numeric::Bool && number.size() > 1);
        let number = number.ok_or_else(|| {
            let reason =
                format!("{NAME} cannot decode {}: expected numbers of 16 to 64 bits", data_type.name());
            Error::metadata(extension.pointer.as_str(), reason)
        })?;
        Ok(Self { number })
    }

    fn encoded_size(&self, _: &ArraySpec<'_>, whole: usize) -> Result<Size> {
        Ok(Size::Exactly(whole).compressed())
    }

    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let bytes = self.items(&encoded, spec.items()?)?.into();
        Ok(Decoded { bytes, strides, ..Decoded::default() })
    }
}

impl Pcodec {
    /// Decodes a chunk of `items` items.
    fn items(self, encoded: &[u8], items: usize) -> Result<Vec<u8>> {
        match self.number {
            Numeric::Int(16) => decode(encoded, items, i16::to_le_bytes),
            Numeric::Int(32) => decode(encoded, items, i32::to_le_bytes),
            Numeric::Int(_) => decode(encoded, items, i64::to_le_bytes),
            Numeric::UInt(16) => decode(encoded, items, u16::to_le_bytes),
            Numeric::UInt(32) => decode(encoded, items, u32::to_le_bytes),
            Numeric::Float(16) => decode(encoded, items, f16::to_le_bytes),
            Numeric::Float(32) => decode(encoded, items, f32::to_le_bytes),
            Numeric::Float(_) => decode(encoded, items, f64::to_le_bytes),
            Numeric::UInt(_) | Numeric::Bool => decode(encoded, items, u64::to_le_bytes),
        }
    }
}

/// Numbers that are decoded at once: whole batches of pco, and few enough for the processor's cache.
const BLOCK: usize = 4096;

/// Memory that is taken before numbers have come: 1 MiB. A few bytes say nothing of how many follow.
const FIRST_BYTES: usize = 1 << 20;

fn decode<T: Number + Default, const SIZE: usize>(
    encoded: &[u8],
    items: usize,
    bytes: impl Fn(T) -> [u8; SIZE],
) -> Result<Vec<u8>> {
    let wrong = |got: String| Error::codec(NAME, got, format!("{items} items"));
    let damaged = |error: pco::errors::PcoError| wrong(error.to_string());
    let whole = items.saturating_mul(SIZE);
    let mut decoded = Vec::new();
    let mut block = vec![T::default(); BLOCK];
    let (file, mut rest) = FileDecompressor::new(encoded).map_err(damaged)?;
    while let DecompressorItem::Chunk(mut chunk) = file.chunk_decompressor::<T, _>(rest).map_err(damaged)? {
        let mut is_finished = false;
        while !is_finished {
            let progress = chunk.read(&mut block).map_err(damaged)?;
            let numbers = &block[..progress.n_processed];
            let left = whole - decoded.len();
            if numbers.len() > left / SIZE {
                return Err(wrong(format!("{items} items and more")));
            }
            if decoded.capacity() - decoded.len() < numbers.len() * SIZE {
                let more = left.min(decoded.len().max(FIRST_BYTES));
                decoded.try_reserve_exact(more).map_err(|_| wrong("not enough memory".to_owned()))?;
            }
            numbers.iter().for_each(|number| decoded.extend_from_slice(&bytes(*number)));
            is_finished = progress.finished;
        }
        rest = chunk.into_src();
    }
    if decoded.len() < whole {
        return Err(wrong(format!("{} items", decoded.len() / SIZE)));
    }
    Ok(decoded)
}
