//! Decoders of compressed bytes. Those of other crates are in `for_speed`.

pub mod bits;
pub mod blosclz;
pub mod ccsds;
#[cfg(feature = "grib2")]
pub mod grib2;
#[cfg(feature = "inflate")]
pub mod inflate;
pub mod lzf;
pub mod scale_offset;
