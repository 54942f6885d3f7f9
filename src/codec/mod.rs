//! Bytes only: from a stored chunk to the items of a decoded one.
//!
//! One file for each registered codec, named for it; the set is an enum closed by Cargo features.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

mod adler32;
mod array_to_array;
mod array_to_bytes;
mod assembly;
#[cfg(feature = "rare")]
mod astype;
#[cfg(feature = "rare")]
mod base64;
#[cfg(feature = "rare")]
mod bitround;
#[cfg(feature = "blosc")]
mod blosc;
#[cfg(feature = "rare")]
mod byte_orders;
mod bytes;
mod bytes_to_bytes;
#[cfg(feature = "bz2")]
mod bz2;
mod cast;
#[cfg(feature = "rare")]
mod cast_value;
#[cfg(feature = "rare")]
mod categorize;
#[cfg(feature = "rare")]
mod cfdb_lz4_frame;
#[cfg(feature = "rare")]
mod cfdb_packed;
mod checksum;
mod column;
mod crc32;
mod crc32c;
mod decoded;
#[cfg(feature = "rare")]
mod delta;
mod elsewhere;
#[cfg(feature = "rare")]
mod filters;
#[cfg(feature = "rare")]
mod fixedscaleoffset;
mod fletcher32;
#[cfg(feature = "gzip")]
mod gzip;
#[cfg(any(feature = "blosc", feature = "gzip"))]
mod inflate;
#[cfg(feature = "rare")]
mod items;
mod jenkins_lookup3;
mod left_out;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lzma")]
mod lzma;
mod making;
mod memory;
#[cfg(feature = "rare")]
mod numcodecs_packbits;
mod numeric;
#[cfg(feature = "rare")]
mod numpy_types;
#[cfg(feature = "rare")]
mod objects;
#[cfg(feature = "rare")]
mod packbits;
#[cfg(feature = "blosc")]
mod part;
#[cfg(feature = "pcodec")]
mod pcodec;
mod pipeline;
#[cfg(feature = "rare")]
mod quantize;
mod rate;
#[cfg(feature = "rare")]
mod reordered;
#[cfg(feature = "rare")]
mod reshape;
mod resolved;
#[cfg(feature = "rare")]
mod rounding;
mod row;
mod scalar;
#[cfg(feature = "rare")]
mod scale_offset;
mod seen;
mod shard_index;
mod sharding;
mod shuffle;
#[cfg(any(feature = "bz2", feature = "lzma", feature = "rare"))]
mod stream;
mod transpose;
mod variable;
#[cfg(feature = "rare")]
mod vlen_array;
mod walk;
#[cfg(feature = "zfp")]
mod zfpy;
#[cfg(feature = "gzip")]
mod zlib;
#[cfg(feature = "zstd")]
pub(crate) mod zstd;

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
use array_to_bytes::ArrayToBytes;

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
        ("arrays to arrays", array_to_array()),
        ("arrays to bytes", array_to_bytes::names()),
        ("bytes to bytes", bytes_to_bytes::NAMES.to_vec()),
    ]
}

fn array_to_array() -> Vec<&'static str> {
    #[cfg(feature = "rare")]
    return [filters::NAMES, array_to_array::NAMES].concat();
    #[cfg(not(feature = "rare"))]
    array_to_array::NAMES.to_vec()
}

/// A codec, by the side of the pipeline that it works on.
enum Codec {
    /// With the stage after it.
    ArrayToArray(array_to_array::ArrayToArray, Stage),
    ArrayToBytes(ArrayToBytes),
    BytesToBytes(bytes_to_bytes::BytesToBytes),
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
