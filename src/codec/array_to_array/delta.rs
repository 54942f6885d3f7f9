//! `numcodecs.delta`: the first item, then the differences between neighbouring items in C order.
//!
//! Sums have the type to which numpy promotes both types; integer sums wrap around, those of timedelta64 may not, and
//! are "not a time" from the first such item on. Differences in another unit are summed in a step of which both units
//! are multiples, and a sum becomes the step that begins no later. An integer type of the item size views the array's
//! bits: datetime64, which numpy cannot sum, may be written as `"i8"`.
//! Spec: <https://numcodecs.readthedocs.io/en/stable/filter/delta.html>
//!
//! ```json
//! { "name": "numcodecs.delta", "configuration": { "dtype": "<i4", "astype": "<i2" } }
//! ```

use super::items::NumericItems;
use super::items::numpy::item::NumpyItem;
use super::items::numpy::{NumpyTypes, optional, refused};
use crate::codec::kinds::{ArrayToArrayCodec, ByteOrderUse, ChunkShapes, CodecInput, Named};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

const NAME: &str = Delta::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delta {
    types: NumpyTypes,
    /// Factor of differences of times before they are summed, and divisor of the sums.
    steps: (i64, i64),
}

impl ArrayToArrayCodec for Delta {
    const BYTE_ORDER: ByteOrderUse =
        ByteOrderUse::Views { decoded: "dtype", encoded: "astype", is_declared: true };

    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["dtype", "astype"])?;
        let decoded = settings.required("dtype")?;
        let (types, next) =
            NumpyTypes::parse(extension, input, Some(decoded), optional(&settings, "astype"))?;
        if types.has_bool() {
            let reason = "numcodecs.delta cannot decode bool: differences of booleans cannot be summed";
            return Err(settings.invalid(reason));
        }
        if types.has_date() {
            let reason = "numpy cannot sum dates; write their differences with the dtype \"<i8\"";
            return Err(refused(extension, "datetime64", reason));
        }
        let is_summed = |item: NumpyItem| item.time.is_some() || item.is_integer();
        if types.has_time() && !(is_summed(types.encoded) && is_summed(types.decoded)) {
            let reason = "numpy cannot sum durations and floats; write both types as timedelta64";
            return Err(refused(extension, "timedelta64 and floats", reason));
        }
        let steps = match (types.encoded.time, types.decoded.time) {
            (Some(encoded), Some(decoded)) => encoded.summed_as(decoded).ok_or_else(|| {
                let reason = "numpy has no unit to sum both in; write both types with the same unit";
                refused(extension, "timedelta64 of these two units", reason)
            })?,
            _ => (1, 1),
        };
        Ok((Self { types, steps }, next))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, shapes: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let shape = shapes.encoded;
        let NumpyTypes { encoded: from, decoded: to } = self.types;
        let encoded = encoded.into_c_order(shape, from.size())?;
        let (number, new_number) = (from.number, to.number);
        let sums = match number.promoted(new_number) {
            _ if self.types.has_time() => {
                let (by, over) = self.steps;
                let mut sum: i64 = 0;
                number.each_integer(&encoded.bytes, new_number, |items| {
                    for item in items {
                        sum = added_time(sum, times(*item, by)?)?;
                        *item = if sum == i64::MIN { sum } else { sum.div_euclid(over) };
                    }
                    Ok(())
                })?
            }
            precision @ Numeric::Float(_) => {
                // 0.0 would lose the sign of a leading negative zero. Blocks have whole complex numbers.
                let mut sums = [-0.0; 2];
                number.each_float(&encoded.bytes, new_number, |items| {
                    for item in items.chunks_exact_mut(from.parts) {
                        for (part, sum) in item.iter_mut().zip(&mut sums) {
                            *sum = precision.rounded(*sum + precision.rounded(*part));
                            *part = *sum;
                        }
                    }
                    Ok(())
                })?
            }
            _ => {
                let mut sum: i64 = 0;
                number.each_integer(&encoded.bytes, new_number, |items| {
                    for item in items {
                        sum = sum.wrapping_add(*item);
                        *item = sum;
                    }
                    Ok(())
                })?
            }
        };
        // The sums of times have the decoded unit already.
        let summed = if self.types.has_time() { to } else { from };
        let sums = summed.finished(sums.into(), to, NAME)?;
        Ok(encoded.with_items(sums, from.size(), to.size()))
    }
}

/// A duration in steps of which so many are one of its own.
fn times(item: i64, by: i64) -> Result<i64> {
    if item == i64::MIN {
        return Ok(item);
    }
    let steps = item.checked_mul(by).filter(|steps| *steps != i64::MIN);
    steps.ok_or_else(|| {
        Error::codec(NAME, format!("the time {item}"), "times that int64 counts in the unit of sums")
    })
}

/// The sum of two durations, which is "not a time" if one of them is.
fn added_time(sum: i64, item: i64) -> Result<i64> {
    if sum == i64::MIN || item == i64::MIN {
        return Ok(i64::MIN);
    }
    let total = sum.checked_add(item).filter(|total| *total != i64::MIN);
    total.ok_or_else(|| {
        Error::codec(NAME, format!("{item} after a sum of {sum}"), "durations whose sums are int64")
    })
}
