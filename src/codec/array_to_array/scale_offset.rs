//! `scale_offset`: the offset is subtracted, then the result is multiplied by the scale, in the arithmetic of the data
//! type.
//!
//! When integers are decoded, a remainder of the division or a result outside of the data type is an error.
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/scale_offset>
//!
//! ```json
//! { "name": "scale_offset", "configuration": { "offset": 5, "scale": 0.1 } }
//! ```

use super::items::NumericItems;
use crate::codec::array_spec::Stage;
use crate::error::{Error, Result};
use crate::metadata::{Extension, Json, parse_fill_value};
use crate::output::Decoded;
use rectilinear_zarr_kernels::numeric::Numeric;

pub(crate) const NAME: &str = "scale_offset";

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScaleOffset {
    number: Numeric,
    rule: Rule,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    Floats { offset: f64, scale: f64 },
    Integers { offset: i128, scale: i128 },
}

impl ScaleOffset {
    pub(crate) fn parse(extension: &Extension, stage: &Stage) -> Result<(Self, Stage)> {
        let settings = extension.settings();
        settings.only_fields(&["offset", "scale"])?;
        let number = stage.number(extension)?;
        if number == Numeric::Bool {
            return Err(settings.invalid("scale_offset cannot decode bool: expected integers or floats"));
        }
        let item = |name, default: u8| match settings.field(name) {
            Some(field) => parse_fill_value(field, &stage.data_type),
            None => Numeric::UInt(8).cast((&[default]).into(), number).map(std::borrow::Cow::into_owned),
        };
        let (offset, scale) = (item("offset", 0)?, item("scale", 1)?);
        let rule = if number.is_float() {
            Rule::Floats { offset: number.float(&offset), scale: number.float(&scale) }
        } else {
            Rule::Integers { offset: number.integer(&offset), scale: number.integer(&scale) }
        };
        if matches!(rule, Rule::Floats { scale: 0.0, .. } | Rule::Integers { scale: 0, .. }) {
            let scale: Json<'_> = settings.required("scale")?;
            return Err(scale.expected("a number other than 0"));
        }
        let codec = Self { number, rule };
        let fill_value = codec.encode(&stage.fill_value).map_err(|_| {
            settings.invalid(format!("the encoded fill value does not fit into {}", stage.data_type.name()))
        })?;
        Ok((codec, Stage { fill_value, ..stage.clone() }))
    }

    fn encode(&self, items: &[u8]) -> Result<Vec<u8>> {
        let number = self.number;
        match self.rule {
            Rule::Floats { offset, scale } => number.each_float(items, number, |items| {
                for item in items {
                    *item = number.rounded(number.rounded(*item - offset) * scale);
                }
                Ok(())
            }),
            Rule::Integers { offset, scale } => self.each(items, |item| (item - offset).checked_mul(scale)),
        }
    }

    pub(crate) fn decode<'a>(&self, encoded: Decoded<'a>) -> Result<Decoded<'a>> {
        let number = self.number;
        let items = match self.rule {
            Rule::Floats { offset, scale } => number.each_float(&encoded.bytes, number, |items| {
                for item in items {
                    *item = number.rounded(number.rounded(*item / scale) + offset);
                }
                Ok(())
            }),
            // Most arrays only have an offset, and 128-bit division is slow.
            Rule::Integers { offset, scale: 1 } => self.each(&encoded.bytes, |item| Some(item + offset)),
            Rule::Integers { offset, scale } => {
                self.each(&encoded.bytes, |item| (item % scale == 0).then(|| item / scale + offset))
            }
        };
        let size = number.size();
        Ok(encoded.with_items(items?.into(), size, size))
    }

    /// Changes every integer; fails where the result is not in the data type.
    fn each(&self, items: &[u8], change: impl Fn(i128) -> Option<i128>) -> Result<Vec<u8>> {
        let number = self.number;
        let range = number.range();
        number.each_integer(items, number, |items| {
            for item in items {
                let value = number.value(*item);
                let changed = change(value).filter(|changed| range.contains(changed)).ok_or_else(|| {
                    let expected = "integers that scale and offset decode to the data type";
                    Error::codec(NAME, format!("{value}"), expected)
                })?;
                *item = low_bits(changed);
            }
            Ok(())
        })
    }
}

/// The low 64 bits.
#[expect(clippy::cast_possible_truncation, reason = "the caller checks that the data type holds the value")]
fn low_bits(value: i128) -> i64 {
    value as i64
}
