//! `numcodecs.zfpy`: integers and floats of 32 or 64 bits in a ZFP stream with a header, in blocks of four along each
//! axis.
//!
//! The configuration is for the encoder; the decoder reads its parameters from the header. Invariant: the header has
//! the array's data type, and either the chunk's shape or all items on one axis, as filters of numcodecs leave them.
//! Spec: <https://zfp.readthedocs.io/en/latest/algorithm.html>
//!
//! ```json
//! { "name": "numcodecs.zfpy", "configuration": { "mode": 4, "compression_kwargs": { "tolerance": 0.01 },
//!   "tolerance": 0.01, "rate": -1, "precision": -1 } }
//! ```

use std::borrow::Cow;

use zfp_rs::{ZfpBitStream, ZfpConfig, ZfpFieldMut, ZfpHeader, ZfpHeaderMask, ZfpScalar, ZfpScalarType};

use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::Decoded;
use crate::output::memory::to_memory;
use rectilinear_zarr_kernels::numeric::Numeric;

const NAME: &str = Zfpy::NAMES[0];

/// Configuration fields for ZFP's encoder.
const FIELDS: &[&str] = &["mode", "compression_kwargs", "tolerance", "rate", "precision"];

/// Items of a block along each axis; blocks at the end of an axis are padded.
const BLOCK_EDGE: u64 = 4;

/// The codec's configuration: the number type of the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zfpy {
    scalar: ZfpScalarType,
}

impl ArrayToBytesCodec for Zfpy {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let data_type = &input.data_type;
        extension.settings().only_fields(FIELDS)?;
        let scalar = match data_type.numeric() {
            Some(Numeric::Int(32)) => ZfpScalarType::I32,
            Some(Numeric::Int(64)) => ZfpScalarType::I64,
            Some(Numeric::Float(32)) => ZfpScalarType::F32,
            Some(Numeric::Float(64)) => ZfpScalarType::F64,
            _ => {
                let reason = format!(
                    "{NAME} cannot decode {}: expected int32, int64, float32 or float64",
                    data_type.name()
                );
                return Err(Error::metadata(extension.pointer.as_str(), reason));
            }
        };
        Ok(Self { scalar })
    }

    fn encoded_size(&self, spec: &ArraySpec<'_>, _: usize) -> Result<Size> {
        Ok(block_bytes(self.scalar, spec.shape))
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

impl Zfpy {
    /// The items of a chunk of this shape, in C order.
    fn numbers(self, encoded: &[u8], shape: &[u64]) -> Result<Vec<u8>> {
        match self.scalar {
            ZfpScalarType::I32 => decode(encoded, shape, i32::to_le_bytes),
            ZfpScalarType::I64 => decode(encoded, shape, i64::to_le_bytes),
            ZfpScalarType::F32 => decode(encoded, shape, f32::to_le_bytes),
            ZfpScalarType::F64 => decode(encoded, shape, f64::to_le_bytes),
        }
    }
}

fn decode<T: ZfpScalar, const SIZE: usize>(
    encoded: &[u8],
    shape: &[u64],
    bytes: impl Fn(T) -> [u8; SIZE],
) -> Result<Vec<u8>> {
    let stated = |stream: &mut ZfpBitStream| {
        let header = stream.read_header(ZfpHeaderMask::FULL).map_err(|error| error.to_string())?;
        fitting::<T>(header, shape)
    };
    decoded(NAME, encoded, shape, stated, bytes)
}

/// Bound on the size of an encoded chunk of this shape, with its axes padded to whole blocks.
pub(super) fn block_bytes(scalar: ZfpScalarType, shape: &[u64]) -> Size {
    let whole = shape.iter().map(|edge| edge.div_ceil(BLOCK_EDGE).saturating_mul(BLOCK_EDGE));
    let bytes = whole.fold(scalar.size() as u64, u64::saturating_mul);
    Size::Exactly(usize::try_from(bytes).unwrap_or(usize::MAX)).compressed()
}

/// Configuration of a stream and its axes, last axis first; an error describes the damage.
type Stated = std::result::Result<(ZfpConfig, [usize; 4]), String>;

/// Decodes a stream to items, for the codec of this name; `stated` finds the parameters and reads the header, if there
/// is one.
pub(super) fn decoded<T: ZfpScalar, const SIZE: usize>(
    name: &'static str,
    encoded: &[u8],
    shape: &[u64],
    stated: impl FnOnce(&mut ZfpBitStream) -> Stated,
    bytes: impl Fn(T) -> [u8; SIZE],
) -> Result<Vec<u8>> {
    let decoded = || {
        // Missing bytes of the last 8-byte word are zeros: encoders built for 1-byte words do not write them.
        let mut stream = ZfpBitStream::from_bytes(encoded).map_err(|error| error.to_string())?;
        let (config, dims) = stated(&mut stream)?;
        numbers(&mut stream, &config, dims, shape, bytes)
    };
    decoded().map_err(|got| Error::codec(name, got, described(T::SCALAR_TYPE, shape)))
}

/// Decodes the numbers of a stream to items; an error describes the damage.
fn numbers<T: ZfpScalar, const SIZE: usize>(
    stream: &mut ZfpBitStream,
    config: &ZfpConfig,
    dims: [usize; 4],
    shape: &[u64],
    bytes: impl Fn(T) -> [u8; SIZE],
) -> std::result::Result<Vec<u8>, String> {
    let memory = |_| "not enough memory".to_owned();
    let items = to_memory(shape.iter().product()).map_err(|error| error.to_string())?;
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(items).map_err(memory)?;
    numbers.resize(items, T::default());
    let mut field = ZfpFieldMut::new(&mut numbers, dims).map_err(|error| error.to_string())?;
    stream.decompress(config, &mut field).map_err(|error| error.to_string())?;
    let mut decoded = Vec::new();
    decoded.try_reserve_exact(items.saturating_mul(SIZE)).map_err(memory)?;
    numbers.into_iter().for_each(|number| decoded.extend_from_slice(&bytes(number)));
    Ok(decoded)
}

/// Parameters of a header; an error describes a stream of another type or shape.
fn fitting<T: ZfpScalar>(header: ZfpHeader, shape: &[u64]) -> Stated {
    let (Some(config), Some(metadata)) = (header.config, header.metadata) else {
        return Err("an incomplete header".to_owned());
    };
    let axes: Vec<u64> =
        metadata.dims.iter().rev().map(|&edge| edge as u64).filter(|&edge| edge > 0).collect();
    let is_fitting = axes == shape || axes == [shape.iter().product::<u64>()];
    if metadata.scalar_type != T::SCALAR_TYPE || !is_fitting {
        return Err(described(metadata.scalar_type, &axes));
    }
    Ok((config, metadata.dims))
}

/// Describes a chunk in an error.
fn described(scalar: ZfpScalarType, shape: &[u64]) -> String {
    let name = match scalar {
        ZfpScalarType::I32 => "int32",
        ZfpScalarType::I64 => "int64",
        ZfpScalarType::F32 => "float32",
        ZfpScalarType::F64 => "float64",
    };
    format!("{name} items of shape {shape:?}")
}
