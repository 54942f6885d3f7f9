//! `scale_offset`: the offset is subtracted, then the result is multiplied by the scale, in the arithmetic of the data
//! type.
//!
//! When integers are decoded, a remainder of the division or a result outside of the data type is an error; so is a
//! float that a type without infinities, NaN or zero does not have.
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/scale_offset>
//!
//! ```json
//! { "name": "scale_offset", "configuration": { "offset": 5, "scale": 0.1 } }
//! ```

use super::items::real::Real;
use super::items::{BLOCK, NumericItems, blocks};
use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, Named};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Json, float_text, parse_fill_value};
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

const NAME: &str = ScaleOffset::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScaleOffset {
    rule: Rule,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    Floats { number: Real, offset: f64, scale: f64 },
    Integers { number: Numeric, offset: i128, scale: i128 },
}

impl ArrayToArrayCodec for ScaleOffset {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["offset", "scale"])?;
        let real = Real::of(&input.data_type, extension)?;
        let item =
            |name| settings.field(name).map(|field| parse_fill_value(field, &input.data_type)).transpose();
        let (offset, scale) = (item("offset")?, item("scale")?);
        let rule = match real.integer() {
            None => {
                let float = |item: Option<Vec<u8>>, default| item.map_or(default, |item| real.value(&item));
                Rule::Floats { number: real, offset: float(offset, 0.0), scale: float(scale, 1.0) }
            }
            Some(number) => {
                let whole =
                    |item: Option<Vec<u8>>, default| item.map_or(default, |item| number.integer(&item));
                Rule::Integers { number, offset: whole(offset, 0), scale: whole(scale, 1) }
            }
        };
        if matches!(rule, Rule::Floats { scale: 0.0, .. } | Rule::Integers { scale: 0, .. }) {
            let scale: Json<'_> = settings.required("scale")?;
            return Err(scale.expected("a number other than 0"));
        }
        let codec = Self { rule };
        let fill_value = codec.encode(&input.fill_value).map_err(|_| {
            settings.invalid(format!("the encoded fill value does not fit into {}", input.data_type.name()))
        })?;
        Ok((codec, CodecInput { fill_value, ..input.clone() }))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let bytes = &encoded.bytes;
        let (items, size) = match self.rule {
            Rule::Floats { number, offset, scale } => {
                let change = |item: f64| number.calculated(number.calculated(item / scale)? + offset);
                (floats(number, bytes, change), number.size())
            }
            // Most arrays only have an offset, and 128-bit division is slow.
            Rule::Integers { number, offset, scale: 1 } => {
                (integers(number, bytes, |item| Some(item + offset)), number.size())
            }
            Rule::Integers { number, offset, scale } => {
                let change = |item| (item % scale == 0).then(|| item / scale + offset);
                (integers(number, bytes, change), number.size())
            }
        };
        Ok(encoded.with_items(items?.into(), size, size))
    }
}

impl ScaleOffset {
    fn encode(&self, items: &[u8]) -> Result<Vec<u8>> {
        match self.rule {
            Rule::Floats { number, offset, scale } => {
                floats(number, items, |item| number.calculated(number.calculated(item - offset)? * scale))
            }
            Rule::Integers { number, offset, scale } => {
                integers(number, items, |item| (item - offset).checked_mul(scale))
            }
        }
    }
}

/// Changes every float; fails where the data type does not have the result.
fn floats(number: Real, items: &[u8], change: impl Fn(f64) -> Option<f64>) -> Result<Vec<u8>> {
    let mut block = [0.0; BLOCK];
    let size = number.size();
    blocks(items, size, size, |source, target| {
        let floats = &mut block[..source.len() / size];
        number.floats(source, floats);
        for item in &mut *floats {
            *item = change(*item).ok_or_else(|| misfit(&float_text(*item)))?;
        }
        number.put_floats(floats, target);
        Ok(())
    })
}

/// Changes every integer; fails where the result is not in the data type.
fn integers(number: Numeric, items: &[u8], change: impl Fn(i128) -> Option<i128>) -> Result<Vec<u8>> {
    let range = number.range();
    number.each_integer(items, number, |items| {
        for item in items {
            let value = number.value(*item);
            let changed = change(value).filter(|changed| range.contains(changed));
            *item = low_bits(changed.ok_or_else(|| misfit(&value.to_string()))?);
        }
        Ok(())
    })
}

/// The error for an item that decodes to none of the data type.
fn misfit(item: &str) -> Error {
    Error::codec(NAME, item, "numbers that scale and offset decode to the data type")
}

/// The low 64 bits.
#[expect(clippy::cast_possible_truncation, reason = "the caller checks that the data type holds the value")]
fn low_bits(value: i128) -> i64 {
    value as i64
}
