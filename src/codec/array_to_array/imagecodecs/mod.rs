//! The filters of imagecodecs and virtual-tiff: the predictors of TIFF files.

#[cfg(feature = "rare")]
pub(crate) mod differences;
#[cfg(feature = "rare")]
pub(crate) mod floatpred;
#[cfg(feature = "rare")]
mod stated;
