//! Bytes only: from a stored chunk to the items of a decoded one.
//!
//! One file for each registered codec, named for it; the set is an enum closed by Cargo features.
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#codecs>

mod adler32;
mod array_spec;
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
#[cfg(feature = "gzip")]
mod inflate;
#[cfg(feature = "rare")]
mod items;
mod jenkins_lookup3;
mod layout;
mod left_out;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lzma")]
mod lzma;
mod making;
mod memory;
mod names;
#[cfg(feature = "rare")]
mod numcodecs_packbits;
mod numeric;
#[cfg(feature = "rare")]
mod numpy_types;
#[cfg(feature = "rare")]
mod objects;
#[cfg(feature = "rare")]
mod packbits;
mod parse;
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
mod resolve;
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
mod size;
#[cfg(any(feature = "bz2", feature = "gzip", feature = "lzma", feature = "rare"))]
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
pub use names::{names, names_by_kind};
pub use pipeline::{Pipeline, Sharding};
pub use rectilinear_zarr_kernels::numeric::Numeric;
pub use scalar::Scalar;
pub use shard_index::ShardIndex;
