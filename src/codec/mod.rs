//! Bytes only: from a stored chunk to the items of a decoded one.
//!
//! One file for each registered codec, named for it; the set is an enum closed by Cargo features.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

mod bytes;
mod crc32c;
#[cfg(feature = "gzip")]
mod gzip;
mod memory;
mod pipeline;
mod transpose;
#[cfg(feature = "zstd")]
mod zstd;

pub use memory::{buffer, to_memory};
pub use pipeline::{Decoded, Pipeline};

use crate::error::Result;
use crate::metadata::{DataType, Extension};

/// The registered names of the codecs in this build.
pub const NAMES: &[&str] = &[
    "bytes",
    "transpose",
    "crc32c",
    #[cfg(feature = "gzip")]
    "gzip",
    #[cfg(feature = "zstd")]
    "zstd",
];

/// A codec, by the side of the pipeline that it works on.
enum Codec {
    ArrayToArray(transpose::Transpose),
    ArrayToBytes(bytes::Bytes),
    BytesToBytes(BytesToBytes),
}

/// A codec from bytes to bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BytesToBytes {
    Crc32c,
    #[cfg(feature = "gzip")]
    Gzip,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl Codec {
    /// The codec of a metadata entry, or nothing where it is unknown and may be left out.
    fn parse(extension: &Extension, data_type: DataType, rank: usize) -> Result<Option<Self>> {
        Ok(Some(match extension.name.as_str() {
            "transpose" => Self::ArrayToArray(transpose::Transpose::parse(extension, rank)?),
            "bytes" => Self::ArrayToBytes(bytes::Bytes::parse(extension, data_type)?),
            "crc32c" => {
                extension.settings().only_fields(&[])?;
                Self::BytesToBytes(BytesToBytes::Crc32c)
            }
            #[cfg(feature = "gzip")]
            "gzip" => {
                extension.settings().only_fields(&["level"])?;
                Self::BytesToBytes(BytesToBytes::Gzip)
            }
            #[cfg(feature = "zstd")]
            "zstd" => {
                extension.settings().only_fields(&["level", "checksum"])?;
                Self::BytesToBytes(BytesToBytes::Zstd)
            }
            _ if extension.must_understand => return Err(extension.unsupported("codec", NAMES)),
            _ => return Ok(None),
        }))
    }
}
