//! The filters of numcodecs, whose configurations spell data types as numpy does.

#[cfg(feature = "rare")]
pub(crate) mod astype;
#[cfg(feature = "rare")]
pub(crate) mod categorize;
#[cfg(feature = "rare")]
pub(crate) mod delta;
#[cfg(feature = "rare")]
pub(crate) mod fixedscaleoffset;
#[cfg(feature = "rare")]
pub(crate) mod log_bins;
#[cfg(feature = "rare")]
pub(crate) mod numcodecs_packbits;
#[cfg(feature = "rare")]
mod numpy_item;
#[cfg(feature = "rare")]
mod numpy_time;
#[cfg(feature = "rare")]
pub(crate) mod numpy_types;
#[cfg(feature = "rare")]
pub(crate) mod quantize;
