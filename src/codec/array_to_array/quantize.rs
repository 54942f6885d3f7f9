//! `numcodecs.quantize`: floats rounded to a number of decimal digits, optionally stored as shorter floats.
//!
//! Decoding does not undo the rounding; it converts items to the decoded float type.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/quantize.html>
//!
//! ```json
//! { "name": "numcodecs.quantize", "configuration": { "digits": 3, "dtype": "<f8", "astype": "<f4" } }
//! ```

use super::items::numpy::{NumpyTypes, optional};
use crate::codec::kinds::{ArrayToArrayCodec, ByteOrderUse, ChunkShapes, CodecInput, Named};
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;

const NAME: &str = Quantize::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quantize {
    types: NumpyTypes,
}

impl ArrayToArrayCodec for Quantize {
    // zarr-python's Quantize does not pass its encoded type to the next codec.
    const BYTE_ORDER: ByteOrderUse =
        ByteOrderUse::Views { decoded: "dtype", encoded: "astype", is_declared: false };

    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["digits", "dtype", "astype"])?;
        let digits = settings.required("digits")?;
        if digits.value().as_i64().is_none() {
            return Err(digits.expected("an integer number of decimal digits"));
        }
        let decoded = optional(&settings, "dtype");
        let (types, next) = NumpyTypes::parse(extension, input, decoded, optional(&settings, "astype"))?;
        if types.decoded.is_float() && types.encoded.is_float() {
            return Ok((Self { types }, next));
        }
        let reason =
            "numcodecs.quantize rounds floats only: expected float types as \"dtype\" and \"astype\"";
        Err(settings.invalid(reason))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        self.types.cast(encoded, NAME)
    }
}
