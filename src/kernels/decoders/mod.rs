//! Decoders of compressed bytes: blosclz and deflate, written here, and those of crates that are compiled for speed.

pub mod blosclz;
#[cfg(feature = "grib2")]
pub mod grib2;
#[cfg(feature = "inflate")]
pub mod inflate;
#[cfg(feature = "lz4")]
pub mod lz4;
#[cfg(feature = "lz4-frame")]
pub mod lz4_frame;
#[cfg(feature = "zstd")]
pub mod zstd;
