//! `numcodecs.delta`: the first item, then what is added to each item to give the next one, in C order.
//!
//! Sums are made in the type that numpy promotes both types to, and wrap around where that is an integer. A type of
//! the array's size stands for the array's bits: times may be written as `"i8"`.
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
            return Err(settings.invalid("differences of truths are none that can be added up again"));
        }
        Ok((Self { types }, next))
    }

    pub(crate) fn decode<'a>(&self, encoded: Decoded<'a>, shape: &[u64]) -> Result<Decoded<'a>> {
        let NumpyTypes { encoded: from, decoded: to } = self.types;
        let encoded = encoded.into_c_order(shape, from.size())?;
        let sums = match from.promoted(to) {
            number @ Numeric::Float(_) => {
                // Not zero, which would lose the sign of a negative zero in front.
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
