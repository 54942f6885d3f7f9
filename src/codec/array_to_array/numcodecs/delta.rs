//! `numcodecs.delta`: the first item, then the differences between neighbouring items in C order.
//!
//! Sums have the type to which numpy promotes both types; integer sums wrap around. An integer type of the item size
//! views the array's bits: times may be written as `"i8"`.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/delta.html>
//!
//! ```json
//! { "name": "numcodecs.delta", "configuration": { "dtype": "<i4", "astype": "<i2" } }
//! ```

use super::numpy_types::{NumpyTypes, optional};
use crate::codec::array_spec::Stage;
use crate::codec::array_to_array::items::NumericItems;
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

pub(crate) const NAME: &str = "numcodecs.delta";

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delta {
    types: NumpyTypes,
}

impl Delta {
    pub(crate) fn parse(extension: &Extension, stage: &Stage) -> Result<(Self, Stage)> {
        let settings = extension.settings();
        settings.only_fields(&["dtype", "astype"])?;
        let decoded = settings.required("dtype")?;
        let (types, next) =
            NumpyTypes::parse(extension, stage, Some(decoded), optional(&settings, "astype"))?;
        if types.has_bool() {
            let reason = "numcodecs.delta cannot decode bool: differences of booleans cannot be summed";
            return Err(settings.invalid(reason));
        }
        Ok((Self { types }, next))
    }

    pub(crate) fn decode<'a>(&self, encoded: Decoded<'a>, shape: &[u64]) -> Result<Decoded<'a>> {
        let NumpyTypes { encoded: from, decoded: to } = self.types;
        let encoded = encoded.into_c_order(shape, from.size())?;
        let sums = match from.promoted(to) {
            number @ Numeric::Float(_) => {
                // 0.0 would lose the sign of a leading negative zero.
                let mut sum = -0.0;
                from.each_float(&encoded.bytes, to, |items| {
                    for item in items {
                        sum = number.rounded(sum + number.rounded(*item));
                        *item = sum;
                    }
                    Ok(())
                })?
            }
            _ => {
                let mut sum: i64 = 0;
                from.each_integer(&encoded.bytes, to, |items| {
                    for item in items {
                        sum = sum.wrapping_add(*item);
                        *item = sum;
                    }
                    Ok(())
                })?
            }
        };
        Ok(encoded.with_items(sums.into(), from.size(), to.size()))
    }
}
