//! `numcodecs.astype`: items stored as another type, converted as numpy's `astype` does.
//!
//! Integers keep their low bits. Floats are rounded to the nearest float; as integers, they lose their fraction. Complex
//! numbers lose their imaginary part as other numbers. Times are their counts, and take another unit where both types
//! are dates or both durations.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/astype.html>
//!
//! ```json
//! { "name": "numcodecs.astype", "configuration": { "encode_dtype": "<f4", "decode_dtype": "<f8" } }
//! ```

use super::items::numpy::{NumpyTypes, optional};
use crate::codec::kinds::{ArrayToArrayCodec, ByteOrderUse, ChunkShapes, CodecInput, Named};
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;

const NAME: &str = AsType::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AsType {
    types: NumpyTypes,
}

impl ArrayToArrayCodec for AsType {
    const BYTE_ORDER: ByteOrderUse =
        ByteOrderUse::Views { decoded: "decode_dtype", encoded: "encode_dtype", is_declared: true };

    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["encode_dtype", "decode_dtype"])?;
        let encoded = settings.required("encode_dtype")?;
        let decoded = optional(&settings, "decode_dtype");
        let (types, next) = NumpyTypes::parse(extension, input, decoded, Some(encoded))?;
        Ok((Self { types }, next))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        self.types.cast(encoded, NAME)
    }
}
