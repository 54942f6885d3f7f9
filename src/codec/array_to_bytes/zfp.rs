//! `zfp`: numbers in a ZFP stream without a header, whose parameters the metadata state.
//!
//! Integers of 8 and 16 bits are stored as int32 in its high bits, unsigned ones of 32 and 64 bits as signed ones without
//! the upper half of their range.
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zfp>
//!
//! ```json
//! { "name": "zfp", "configuration": { "mode": "fixed_accuracy", "tolerance": 0.05 } }
//! ```

use std::borrow::Cow;

use zfp_rs::{ZfpConfig, ZfpDimensionality, ZfpScalar, ZfpScalarType, ZfpStreamAlignment};

use super::zfpy::{block_bytes, decoded};
use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, Named, Size};
use crate::error::Result;
use crate::metadata::{Extension, Json};
use crate::output::Decoded;
use crate::output::memory::to_memory;
use rectilinear_zarr_kernels::numeric::Numeric;

const NAME: &str = Zfp::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Zfp {
    number: Numeric,
    config: ZfpConfig,
}

impl ArrayToBytesCodec for Zfp {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let CodecInput { data_type, rank, .. } = input;
        let settings = extension.settings();
        let numbers = |number: &Numeric| match number {
            Numeric::Bool => false,
            Numeric::Float(bits) => *bits > 16,
            Numeric::Int(bits) | Numeric::UInt(bits) => *bits >= 8,
        };
        let number = data_type.numeric().filter(numbers).ok_or_else(|| {
            let name = data_type.name();
            settings.invalid(format!("{NAME} cannot decode {name}: expected integers, float32 or float64"))
        })?;
        let dims = match *rank {
            0 | 1 => ZfpDimensionality::D1,
            2 => ZfpDimensionality::D2,
            3 => ZfpDimensionality::D3,
            4 => ZfpDimensionality::D4,
            rank => return Err(settings.invalid(format!("{NAME} has at most 4 axes, the array {rank}"))),
        };
        let mode = settings.required("mode")?;
        let (fields, config): (&[&str], _) = match mode.string()? {
            "reversible" => (&["mode"], ZfpConfig::reversible()),
            "fixed_accuracy" => {
                (&["mode", "tolerance"], ZfpConfig::fixed_accuracy(float(settings.required("tolerance")?)?))
            }
            "fixed_precision" => (
                &["mode", "precision"],
                ZfpConfig::fixed_precision(natural(settings.required("precision")?)?),
            ),
            "fixed_rate" => {
                let field = settings.required("rate")?;
                let align = ZfpStreamAlignment::Unaligned;
                let config = ZfpConfig::fixed_rate(float(field)?, scalar(number), dims, align);
                (&["mode", "rate"], config.map_err(|error| field.invalid(error.to_string()))?)
            }
            "expert" => {
                let natural = |name| natural(settings.required(name)?);
                let min_exp = settings.required("minexp")?;
                let exponent = min_exp.value().as_i64().and_then(|exponent| i32::try_from(exponent).ok());
                let exponent = exponent.ok_or_else(|| min_exp.expected("an integer of 32 bits"))?;
                let config = ZfpConfig::expert(
                    natural("minbits")?,
                    natural("maxbits")?,
                    natural("maxprec")?,
                    exponent,
                );
                let config = config.map_err(|error| settings.invalid(error.to_string()))?;
                (&["mode", "minbits", "maxbits", "maxprec", "minexp"], config)
            }
            _ => {
                let modes =
                    "\"reversible\", \"fixed_accuracy\", \"fixed_precision\", \"fixed_rate\" or \"expert\"";
                return Err(mode.expected(modes));
            }
        };
        settings.only_fields(fields)?;
        Ok(Self { number, config })
    }

    fn encoded_size(&self, spec: &ArraySpec<'_>, _: usize) -> Result<Size> {
        Ok(block_bytes(scalar(self.number), spec.shape))
    }

    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let bytes = self.numbers(&encoded, spec.shape)?.into();
        Ok(Decoded { bytes, strides, ..Decoded::default() })
    }
}

impl Zfp {
    /// The items of a chunk of this shape, in C order.
    fn numbers(self, encoded: &[u8], shape: &[u64]) -> Result<Vec<u8>> {
        use Numeric::{Float, Int, UInt};
        match self.number {
            Float(32) => self.items(encoded, shape, f32::to_le_bytes),
            Float(_) => self.items(encoded, shape, f64::to_le_bytes),
            Int(64) => self.items(encoded, shape, i64::to_le_bytes),
            UInt(64) => self.items(encoded, shape, |item: i64| item.max(0).to_le_bytes()),
            Int(32) => self.items(encoded, shape, i32::to_le_bytes),
            UInt(32) => self.items(encoded, shape, |item: i32| item.max(0).to_le_bytes()),
            Int(16) => self.items(encoded, shape, |item: i32| low::<2>(item >> 15, -0x8000, 0x7fff)),
            UInt(16) => self.items(encoded, shape, |item: i32| low::<2>((item >> 15) + 0x8000, 0, 0xffff)),
            Int(_) => self.items(encoded, shape, |item: i32| low::<1>(item >> 23, -0x80, 0x7f)),
            UInt(_) | Numeric::Bool => {
                self.items(encoded, shape, |item: i32| low::<1>((item >> 23) + 0x80, 0, 0xff))
            }
        }
    }

    fn items<T: ZfpScalar, const SIZE: usize>(
        self,
        encoded: &[u8],
        shape: &[u64],
        bytes: impl Fn(T) -> [u8; SIZE],
    ) -> Result<Vec<u8>> {
        let mut dims = [0; 4];
        for (dim, &edge) in dims.iter_mut().zip(shape.iter().rev()) {
            *dim = to_memory(edge)?;
        }
        // An array without axes is a row of one item.
        dims[0] = dims[0].max(1);
        decoded(NAME, encoded, shape, |_| Ok((self.config, dims)), bytes)
    }
}

/// The number type of the stream for a type of items.
fn scalar(number: Numeric) -> ZfpScalarType {
    match number {
        Numeric::Float(32) => ZfpScalarType::F32,
        Numeric::Float(_) => ZfpScalarType::F64,
        Numeric::Int(64) | Numeric::UInt(64) => ZfpScalarType::I64,
        _ => ZfpScalarType::I32,
    }
}

/// The low bytes of an integer, which is brought into the range of its type.
fn low<const SIZE: usize>(item: i32, least: i32, most: i32) -> [u8; SIZE] {
    let bytes = item.clamp(least, most).to_le_bytes();
    std::array::from_fn(|at| bytes[at])
}

fn float(field: Json<'_>) -> Result<f64> {
    field.value().as_f64().ok_or_else(|| field.expected("a number"))
}

fn natural(field: Json<'_>) -> Result<u32> {
    u32::try_from(field.integer(0)?).map_err(|_| field.expected("an integer of 32 bits"))
}
