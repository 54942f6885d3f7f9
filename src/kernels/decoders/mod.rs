//! Decoders of compressed bytes: those written here, and those of crates that are compiled for speed.

pub mod bits;
pub mod blosclz;
pub mod ccsds;
#[cfg(feature = "grib2")]
pub mod grib2;
#[cfg(feature = "inflate")]
pub mod inflate;
#[cfg(feature = "lz4")]
pub mod lz4;
#[cfg(feature = "lz4-frame")]
pub mod lz4_frame;
pub mod lzf;
pub mod scale_offset;
#[cfg(feature = "zstd")]
pub mod zstd;
