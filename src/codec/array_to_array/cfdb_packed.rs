//! `cfdb.packed`: numbers and times packed as small integers by cfdb. The name is this package's own.
//!
//! Decoding follows cfdb, in the same order and precision:
//!
//! - Floats: the integer is converted to the decoded type. The fill value becomes NaN. Other values are divided by the
//!   factor, then the offset is added, with a rounding to the decoded type after each step.
//! - Integers: the fill value becomes 0; the offset is added to other values.
//! - Times: 0 becomes NaT; the offset is added to other values.
//!
//! Source: `DTypeTranscoder.decode` in cfdb's `dtypes.py` (0.11).
//!
//! ```json
//! { "name": "cfdb.packed",
//!   "configuration": { "data_type": "uint16", "factor": 100.0, "offset": -51, "fill_value": 0 } }
//! ```

use rectilinear_zarr_kernels::numeric::Numeric;

use super::items::{BLOCK, NumericItems};
use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, number_of};
use crate::error::Result;
use crate::metadata::{DataType, Extension, Json, Kind, Value};
use crate::output::Decoded;

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CfdbPacked {
    packed: Numeric,
    decoded: Numeric,
    unpacking: Unpacking,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Unpacking {
    Float { factor: f64, offset: f64, fill: f64 },
    Integer { offset: i64, fill: Option<i64> },
    Time { offset: i64 },
}

impl ArrayToArrayCodec for CfdbPacked {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["data_type", "factor", "offset", "fill_value"])?;
        let field = settings.required("data_type")?;
        let data_type = DataType::parse(field)?;
        let packed = number_of(&data_type, extension)?;
        if packed.is_float() || packed == Numeric::Bool {
            return Err(field.expected("the name of an integer data type"));
        }
        let is_time = matches!(input.data_type.kind(), Kind::Time { .. });
        let decoded = if is_time { Numeric::Int(64) } else { input.number(extension)? };
        let offset = settings.required("offset")?;
        let (unpacking, fill) = if decoded.is_float() {
            let (factor, fill) = (settings.required("factor")?, settings.required("fill_value")?);
            let code = integer(fill)?;
            let [factor, offset, fill] = [factor, offset, fill].map(float);
            let (factor, offset, fill) =
                (decoded.rounded(factor?), decoded.rounded(offset?), decoded.rounded(fill?));
            (Unpacking::Float { factor, offset, fill }, code)
        } else if is_time {
            (Unpacking::Time { offset: integer(offset)? }, 0)
        } else {
            let fill = settings.field("fill_value").map(integer).transpose()?;
            (Unpacking::Integer { offset: integer(offset)?, fill }, fill.unwrap_or(0))
        };
        let mut fill_value = vec![0; packed.size()];
        packed.put_integers(&[fill], packed, &mut fill_value);
        Ok((Self { packed, decoded, unpacking }, CodecInput { data_type, fill_value, rank: input.rank }))
    }

    fn decode<'a>(&self, chunk: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let Self { packed, decoded, unpacking } = *self;
        let mut block = [0; BLOCK];
        let mut floats = [0.0; BLOCK];
        let items = packed.blocks(&chunk.bytes, decoded, |source, target| {
            let codes = &mut block[..source.len() / packed.size()];
            packed.integers(source, codes);
            match unpacking {
                Unpacking::Float { factor, offset, fill } => {
                    let floats = &mut floats[..codes.len()];
                    for (float, code) in floats.iter_mut().zip(&*codes) {
                        let exact = match decoded {
                            Numeric::Float(64) => packed.double(*code),
                            // Converted to float16 by way of float32, as in numpy.
                            _ => decoded.rounded(packed.single(*code).into()),
                        };
                        *float = if exact == fill {
                            f64::NAN
                        } else {
                            decoded.rounded(decoded.rounded(exact / factor) + offset)
                        };
                    }
                    decoded.put_floats(floats, target);
                }
                Unpacking::Integer { offset, fill } => {
                    codes.iter_mut().for_each(|code| {
                        *code = if Some(*code) == fill { 0 } else { code.wrapping_add(offset) };
                    });
                    decoded.put_integers(codes, decoded, target);
                }
                Unpacking::Time { offset } => {
                    codes.iter_mut().for_each(|code| {
                        *code =
                            if matches!(*code, 0 | i64::MIN) { i64::MIN } else { code.wrapping_add(offset) };
                    });
                    decoded.put_integers(codes, decoded, target);
                }
            }
            Ok(())
        })?;
        Ok(chunk.with_items(items.into(), packed.size(), decoded.size()))
    }
}

/// A 64-bit integer, signed or unsigned, as its bits.
fn integer(field: Json<'_>) -> Result<i64> {
    let bits = |value: &Value| value.as_i64().or_else(|| value.as_u64().map(u64::cast_signed));
    bits(field.value()).ok_or_else(|| field.expected("an integer of 64 bits"))
}

fn float(field: Json<'_>) -> Result<f64> {
    field.value().as_f64().ok_or_else(|| field.expected("a number"))
}
