//! Bytes only: from a stored chunk to the items of a decoded one.
//!
//! One file for each registered codec, named for it; the set is an enum closed by Cargo features.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

mod adler32;
#[cfg(feature = "blosc")]
mod blosc;
mod bytes;
mod bytes_to_bytes;
#[cfg(feature = "bz2")]
mod bz2;
mod checksum;
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
mod shuffle;
#[cfg(any(feature = "bz2", feature = "gzip", feature = "lzma"))]
mod stream;
mod transpose;
#[cfg(feature = "gzip")]
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

pub use memory::{buffer, to_memory};
pub use pipeline::{Decoded, Pipeline};

use crate::error::Result;
use crate::metadata::{DataType, Extension};

/// The registered names of the codecs in this build.
pub fn names() -> Vec<&'static str> {
    ["transpose", bytes::NAME].into_iter().chain(bytes_to_bytes::NAMES.iter().copied()).collect()
}

/// A codec, by the side of the pipeline that it works on.
enum Codec {
    ArrayToArray(transpose::Transpose),
    ArrayToBytes(bytes::Bytes),
    BytesToBytes(bytes_to_bytes::BytesToBytes),
}

impl Codec {
    /// The codec of a metadata entry, or nothing where it is unknown and may be left out.
    fn parse(extension: &Extension, data_type: DataType, rank: usize) -> Result<Option<Self>> {
        Ok(Some(match extension.name.as_str() {
            "transpose" => Self::ArrayToArray(transpose::Transpose::parse(extension, rank)?),
            bytes::NAME => Self::ArrayToBytes(bytes::Bytes::parse(extension, data_type)?),
            _ => match bytes_to_bytes::BytesToBytes::parse(extension)? {
                Some(codec) => Self::BytesToBytes(codec),
                None if extension.must_understand => return Err(extension.unsupported("codec", &names())),
                None => return Ok(None),
            },
        }))
    }
}
