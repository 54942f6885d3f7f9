//! `numcodecs.fixedscaleoffset`: the offset is subtracted, the result multiplied by the scale and rounded to a whole
//! number.
//!
//! Decoding calculates in the encoded type where that is a float or complex, else in float64, then converts to the
//! decoded type.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/fixedscaleoffset.html>
//!
//! ```json
//! { "name": "numcodecs.fixedscaleoffset",
//!   "configuration": { "offset": 273.15, "scale": 100, "dtype": "<f4", "astype": "<u2" } }
//! ```

use super::items::NumericItems;
use super::items::numpy::{NumpyTypes, optional, refused};
use crate::codec::kinds::{ArrayToArrayCodec, ByteOrderUse, ChunkShapes, CodecInput, Named};
use crate::error::Result;
use crate::metadata::{Extension, Json};
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

const NAME: &str = FixedScaleOffset::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FixedScaleOffset {
    types: NumpyTypes,
    /// Number type of the calculation.
    number: Numeric,
    scale: f64,
    offset: f64,
}

impl ArrayToArrayCodec for FixedScaleOffset {
    const BYTE_ORDER: ByteOrderUse =
        ByteOrderUse::Views { decoded: "dtype", encoded: "astype", is_declared: true };

    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["offset", "scale", "dtype", "astype"])?;
        let decoded = optional(&settings, "dtype");
        let (types, next) = NumpyTypes::parse(extension, input, decoded, optional(&settings, "astype"))?;
        if types.has_time() {
            let reason = "numpy cannot round times; write them with the dtype \"<i8\"";
            return Err(refused(extension, "times", reason));
        }
        let own = types.encoded.number;
        let number = if own.is_float() { own } else { Numeric::Float(64) };
        let scale = number.rounded(value(settings.required("scale")?)?);
        let offset = number.rounded(value(settings.required("offset")?)?);
        Ok((Self { types, number, scale, offset }, next))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let Self { types, number, scale, offset } = *self;
        let NumpyTypes { encoded: from, decoded: to } = types;
        let items = from.number.each_float(&encoded.bytes, to.number, |items| {
            if from.parts == 2 {
                // Blocks have whole complex numbers.
                for item in items.as_chunks_mut::<2>().0 {
                    let [real, imaginary] = divided(*item, scale, number);
                    *item = [number.rounded(real + offset), imaginary + 0.0];
                }
                return Ok(());
            }
            for item in items {
                *item = number.rounded(number.rounded(*item / scale) + offset);
            }
            Ok(())
        })?;
        let items = from.finished(items.into(), to, NAME)?;
        Ok(encoded.with_items(items, from.size(), to.size()))
    }
}

/// The quotient of a complex number and a real one, rounded as in numpy, which divides by a complex number.
fn divided([real, imaginary]: [f64; 2], scale: f64, number: Numeric) -> [f64; 2] {
    if scale == 0.0 {
        return [real / 0.0, imaginary / 0.0];
    }
    // The divisor's imaginary part over its real part: it turns infinities to NaN.
    let ratio = 0.0 / scale;
    let inverse = number.rounded(1.0 / scale);
    [real + imaginary * ratio, imaginary - real * ratio].map(|part| number.rounded(part * inverse))
}

fn value(field: Json<'_>) -> Result<f64> {
    field.value().as_f64().ok_or_else(|| field.expected("a number"))
}
