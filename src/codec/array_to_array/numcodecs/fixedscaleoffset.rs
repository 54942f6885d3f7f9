//! `numcodecs.fixedscaleoffset`: the offset is subtracted, the result multiplied by the scale and rounded to a whole
//! number.
//!
//! Decoding calculates in the encoded type where that is a float, else in float64, then converts to the decoded type.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/fixedscaleoffset.html>
//!
//! ```json
//! { "name": "numcodecs.fixedscaleoffset",
//!   "configuration": { "offset": 273.15, "scale": 100, "dtype": "<f4", "astype": "<u2" } }
//! ```

use super::numpy_types::{NumpyTypes, optional};
use crate::codec::array_spec::Stage;
use crate::codec::array_to_array::items::NumericItems;
use crate::error::Result;
use crate::metadata::{Extension, Json};
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

pub(crate) const NAME: &str = "numcodecs.fixedscaleoffset";

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FixedScaleOffset {
    types: NumpyTypes,
    /// Number type of the calculation.
    number: Numeric,
    scale: f64,
    offset: f64,
}

impl FixedScaleOffset {
    pub(crate) fn parse(extension: &Extension, stage: &Stage) -> Result<(Self, Stage)> {
        let settings = extension.settings();
        settings.only_fields(&["offset", "scale", "dtype", "astype"])?;
        let decoded = optional(&settings, "dtype");
        let (types, next) = NumpyTypes::parse(extension, stage, decoded, optional(&settings, "astype"))?;
        let number = if types.encoded.is_float() { types.encoded } else { Numeric::Float(64) };
        let scale = number.rounded(value(settings.required("scale")?)?);
        let offset = number.rounded(value(settings.required("offset")?)?);
        Ok((Self { types, number, scale, offset }, next))
    }

    pub(crate) fn decode<'a>(&self, encoded: Decoded<'a>) -> Result<Decoded<'a>> {
        let Self { types, number, scale, offset } = *self;
        let items = types.encoded.each_float(&encoded.bytes, types.decoded, |items| {
            for item in items {
                *item = number.rounded(number.rounded(*item / scale) + offset);
            }
            Ok(())
        })?;
        Ok(encoded.with_items(items.into(), types.encoded.size(), types.decoded.size()))
    }
}

fn value(field: Json<'_>) -> Result<f64> {
    field.value().as_f64().ok_or_else(|| field.expected("a number"))
}
