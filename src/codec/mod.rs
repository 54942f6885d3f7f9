//! Bytes only: from a stored chunk to the items of a decoded one.
//!
//! One file for each registered codec, named for it; the set is an enum closed by Cargo features.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

mod adler32;
mod array_to_array;
mod assembly;
mod astype;
mod base64;
mod bitround;
#[cfg(feature = "blosc")]
mod blosc;
mod bytes;
mod bytes_to_bytes;
#[cfg(feature = "bz2")]
mod bz2;
mod cast;
mod cast_value;
mod categorize;
mod checksum;
mod column;
mod crc32;
mod crc32c;
mod decoded;
mod delta;
mod fixedscaleoffset;
mod fletcher32;
#[cfg(feature = "gzip")]
mod gzip;
mod items;
mod jenkins_lookup3;
mod left_out;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lzma")]
mod lzma;
mod making;
mod memory;
mod numcodecs_packbits;
mod numeric;
mod numpy_types;
mod objects;
mod packbits;
#[cfg(feature = "blosc")]
mod part;
#[cfg(feature = "pcodec")]
mod pcodec;
mod pipeline;
mod quantize;
mod reshape;
mod resolved;
mod rounding;
mod scalar;
mod scale_offset;
mod seen;
mod shard_index;
mod sharding;
mod shuffle;
#[cfg(any(feature = "bz2", feature = "gzip", feature = "lzma"))]
mod stream;
mod transpose;
mod variable;
mod vlen_array;
mod walk;
#[cfg(feature = "zfp")]
mod zfpy;
#[cfg(feature = "gzip")]
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

pub use assembly::Assembly;
pub use cast::Cast;
pub use column::Column;
pub use decoded::Decoded;
pub use left_out::{LEFT_OUT, LeftOut};
pub use pipeline::Pipeline;
pub use rectilinear_zarr_kernels::numeric::Numeric;
pub use scalar::Scalar;
pub use shard_index::ShardIndex;
pub use sharding::Sharding;

use array_to_array::Stage;

use std::borrow::Cow;

use self::memory::to_memory;
use crate::error::Result;
use crate::metadata::Extension;

/// The registered names of the codecs in this build.
#[must_use]
pub fn names() -> Vec<&'static str> {
    names_by_kind().into_iter().flat_map(|(_, names)| names).collect()
}

/// The same, by what a codec turns into what, in the order of a pipeline.
#[must_use]
pub fn names_by_kind() -> [(&'static str, Vec<&'static str>); 3] {
    [
        ("arrays to arrays", array_to_array::NAMES.to_vec()),
        ("arrays to bytes", array_to_bytes()),
        ("bytes to bytes", bytes_to_bytes::NAMES.to_vec()),
    ]
}

fn array_to_bytes() -> Vec<&'static str> {
    let own = [bytes::NAME, packbits::NAME, sharding::NAME, "vlen-utf8", "vlen-bytes"];
    let numcodecs = [
        vlen_array::NAME,
        objects::JSON2,
        objects::MSGPACK2,
        #[cfg(feature = "pcodec")]
        pcodec::NAME,
        #[cfg(feature = "zfp")]
        zfpy::NAME,
    ];
    own.into_iter().chain(numcodecs).collect()
}

/// A codec, by the side of the pipeline that it works on.
enum Codec {
    /// With the stage after it.
    ArrayToArray(array_to_array::ArrayToArray, Stage),
    ArrayToBytes(ArrayToBytes),
    BytesToBytes(bytes_to_bytes::BytesToBytes),
}

/// The codecs that turn an array into bytes, of which a pipeline has one.
#[derive(Debug, Clone)]
enum ArrayToBytes {
    Bytes(bytes::Bytes),
    Objects(objects::Objects),
    PackBits(packbits::PackBits),
    #[cfg(feature = "pcodec")]
    Pcodec(pcodec::Pcodec),
    Variable(variable::Variable),
    VlenArray(vlen_array::VlenArray),
    Sharding(sharding::Sharding),
    #[cfg(feature = "zfp")]
    Zfpy(zfpy::Zfpy),
}

impl Codec {
    /// The codec of a metadata entry, or nothing where it is unknown and may be left out.
    fn parse(extension: &Extension, stage: &Stage) -> Result<Option<Self>> {
        if let Some((codec, next)) = array_to_array::ArrayToArray::parse(extension, stage)? {
            return Ok(Some(Self::ArrayToArray(codec, next)));
        }
        if let Some(codec) = ArrayToBytes::parse(extension, stage)? {
            return Ok(Some(Self::ArrayToBytes(codec)));
        }
        match bytes_to_bytes::BytesToBytes::parse(extension)? {
            Some(codec) => Ok(Some(Self::BytesToBytes(codec))),
            None if extension.must_understand || left_out::is_pickle(extension) => {
                Err(left_out::unsupported(extension))
            }
            None => Ok(None),
        }
    }
}

impl ArrayToBytes {
    /// The codec of a metadata entry, or nothing for another name.
    fn parse(extension: &Extension, stage: &Stage) -> Result<Option<Self>> {
        let Stage { data_type, fill_value, rank } = stage;
        Ok(match extension.name.as_str() {
            bytes::NAME => Some(Self::Bytes(bytes::Bytes::parse(extension, data_type)?)),
            packbits::NAME => Some(Self::PackBits(packbits::PackBits::parse(extension, data_type)?)),
            #[cfg(feature = "pcodec")]
            pcodec::NAME => Some(Self::Pcodec(pcodec::Pcodec::parse(extension, data_type)?)),
            sharding::NAME => {
                let sharding = sharding::Sharding::parse(extension, data_type, fill_value, *rank)?;
                Some(Self::Sharding(sharding))
            }
            vlen_array::NAME => Some(Self::VlenArray(vlen_array::VlenArray::parse(extension, data_type)?)),
            objects::JSON2 | objects::MSGPACK2 => {
                objects::Objects::parse(extension, data_type)?.map(Self::Objects)
            }
            #[cfg(feature = "zfp")]
            zfpy::NAME => Some(Self::Zfpy(zfpy::Zfpy::parse(extension, data_type)?)),
            _ => variable::Variable::parse(extension, data_type)?.map(Self::Variable),
        })
    }

    /// Decodes a chunk of a form, whose items then lie these bytes apart.
    fn decode<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        form: &pipeline::Form<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let shape = form.shape;
        let none = Cow::Borrowed([].as_slice());
        let items = to_memory(shape.iter().product())?;
        Ok(match self {
            Self::Bytes(codec) => {
                let (bytes, reversed) = codec.decode(bytes);
                Decoded { bytes, strides, heap: none, reversed }
            }
            Self::Objects(codec) => {
                let (references, heap) = codec.decode(&bytes, shape)?;
                Decoded { bytes: references.into(), strides, heap: heap.into(), reversed: None }
            }
            Self::PackBits(codec) => Decoded {
                bytes: codec.decode(bytes, to_memory(form.size())?)?,
                strides,
                heap: none,
                reversed: None,
            },
            #[cfg(feature = "pcodec")]
            Self::Pcodec(codec) => {
                Decoded { bytes: codec.decode(&bytes, items)?.into(), strides, heap: none, reversed: None }
            }
            Self::Variable(codec) => {
                let references = codec.decode(&bytes, items)?;
                Decoded { bytes: references.into(), strides, heap: bytes, reversed: None }
            }
            Self::VlenArray(codec) => {
                let (references, heap) = codec.decode(bytes, items)?;
                Decoded { bytes: references.into(), strides, heap, reversed: None }
            }
            Self::Sharding(codec) => codec.decode(&bytes, shape)?,
            #[cfg(feature = "zfp")]
            Self::Zfpy(codec) => {
                Decoded { bytes: codec.decode(&bytes, shape)?.into(), strides, heap: none, reversed: None }
            }
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Bytes(_) => bytes::NAME,
            Self::Objects(codec) => codec.name(),
            Self::PackBits(_) => packbits::NAME,
            #[cfg(feature = "pcodec")]
            Self::Pcodec(_) => pcodec::NAME,
            Self::Variable(codec) => codec.name(),
            Self::VlenArray(_) => vlen_array::NAME,
            Self::Sharding(_) => sharding::NAME,
            #[cfg(feature = "zfp")]
            Self::Zfpy(_) => zfpy::NAME,
        }
    }
}
