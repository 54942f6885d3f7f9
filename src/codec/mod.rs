//! Bytes only: from a stored chunk to the items of a decoded one.
//!
//! One file for each registered codec, named for it; the set is an enum closed by Cargo features.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

mod adler32;
mod assembly;
#[cfg(feature = "blosc")]
mod blosc;
mod bytes;
mod bytes_to_bytes;
#[cfg(feature = "bz2")]
mod bz2;
mod checksum;
mod copy;
mod crc;
mod crc32;
mod crc32c;
mod fletcher32;
#[cfg(feature = "gzip")]
mod gzip;
mod jenkins_lookup3;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lzma")]
mod lzma;
mod memory;
mod pipeline;
mod sharding;
mod shuffle;
#[cfg(any(feature = "bz2", feature = "gzip", feature = "lzma"))]
mod stream;
mod transpose;
mod unshuffle;
mod variable;
mod words;
#[cfg(feature = "gzip")]
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

pub use assembly::Assembly;
pub use pipeline::{Decoded, Pipeline};
pub use sharding::{ShardIndex, Sharding};

use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension};

/// A codec, or a part of one, that the npm package leaves out.
#[derive(Debug)]
pub struct LeftOut {
    /// The registered name, or what is left out of a codec.
    pub what: &'static str,
    /// The Cargo feature that has it.
    pub feature: &'static str,
    /// Whether this build has the feature.
    pub is_here: bool,
}

/// What the npm package leaves out for its size.
pub const LEFT_OUT: [LeftOut; 2] = [
    LeftOut { what: "numcodecs.lzma", feature: "lzma", is_here: cfg!(feature = "lzma") },
    LeftOut { what: "blosc with snappy", feature: "blosc-snappy", is_here: cfg!(feature = "blosc-snappy") },
];

/// The registered names of the codecs in this build.
#[must_use]
pub fn names() -> Vec<&'static str> {
    names_by_kind().into_iter().flat_map(|(_, names)| names).collect()
}

/// The same, by what a codec turns into what, in the order of a pipeline.
#[must_use]
pub fn names_by_kind() -> [(&'static str, Vec<&'static str>); 3] {
    [
        ("arrays to arrays", vec!["transpose"]),
        ("arrays to bytes", vec![bytes::NAME, sharding::NAME, "vlen-utf8", "vlen-bytes"]),
        ("bytes to bytes", bytes_to_bytes::NAMES.to_vec()),
    ]
}

/// A codec, by the side of the pipeline that it works on.
enum Codec {
    ArrayToArray(transpose::Transpose),
    ArrayToBytes(ArrayToBytes),
    BytesToBytes(bytes_to_bytes::BytesToBytes),
}

/// The codecs that turn an array into bytes, of which a pipeline has one.
#[derive(Debug, Clone)]
enum ArrayToBytes {
    Bytes(bytes::Bytes),
    Variable(variable::Variable),
    Sharding(sharding::Sharding),
}

impl Codec {
    /// The codec of a metadata entry, or nothing where it is unknown and may be left out.
    fn parse(
        extension: &Extension,
        data_type: &DataType,
        fill_value: &[u8],
        rank: usize,
    ) -> Result<Option<Self>> {
        let array_to_bytes = match extension.name.as_str() {
            "transpose" => {
                return transpose::Transpose::parse(extension, rank).map(Self::ArrayToArray).map(Some);
            }
            bytes::NAME => Some(ArrayToBytes::Bytes(bytes::Bytes::parse(extension, data_type)?)),
            sharding::NAME => Some(ArrayToBytes::Sharding(sharding::Sharding::parse(
                extension, data_type, fill_value, rank,
            )?)),
            _ => variable::Variable::parse(extension, data_type)?.map(ArrayToBytes::Variable),
        };
        if let Some(codec) = array_to_bytes {
            return Ok(Some(Self::ArrayToBytes(codec)));
        }
        match bytes_to_bytes::BytesToBytes::parse(extension)? {
            Some(codec) => Ok(Some(Self::BytesToBytes(codec))),
            None if extension.must_understand => Err(unsupported(extension)),
            None => Ok(None),
        }
    }
}

/// That this build lacks a codec, and the feature that has it.
fn unsupported(extension: &Extension) -> Error {
    match LEFT_OUT.iter().find(|codec| codec.what == extension.name) {
        None => extension.unsupported("codec", &names()),
        Some(LeftOut { what, feature, .. }) => Error::Unsupported {
            feature: format!("codec {what:?}"),
            reason: format!("met at {}; this build lacks the Cargo feature {feature:?}", extension.pointer),
        },
    }
}
