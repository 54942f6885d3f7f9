//! Virtual stores by the names of their formats: those that this build has.

#[cfg(feature = "systems")]
use super::cfdb::Cfdb;
#[cfg(feature = "hdf5")]
use super::hdf5::Hdf5;
#[cfg(feature = "systems")]
use super::icechunk::Icechunk;
#[cfg(feature = "systems")]
use super::kerchunk::{Kerchunk, KerchunkFolder};
#[cfg(feature = "files")]
use super::netcdf::NetCdf;
#[cfg(feature = "files")]
use super::tiff::Tiff;
use super::{Format, VirtualStore};
use crate::error::{Error, Result};
use crate::metadata::Value;

/// Creates the virtual store of a format, with the caller's options as a JSON object.
///
/// # Errors
/// [`Error::Unsupported`] where the format is not one of a virtual store that this build has, or does not take the options.
#[cfg_attr(not(feature = "systems"), expect(unused_variables, reason = "only Icechunk has options"))]
pub fn system(format: &str, options: &Value) -> Result<Box<dyn VirtualStore>> {
    #[cfg(feature = "systems")]
    if format == Format::KerchunkFolder.name() {
        return Ok(Box::new(KerchunkFolder::default()));
    }
    match Format::named(format) {
        #[cfg(feature = "systems")]
        Some(Format::Cfdb) => Ok(Box::new(Cfdb::default())),
        #[cfg(feature = "systems")]
        Some(Format::Kerchunk) => Ok(Box::new(Kerchunk::default())),
        #[cfg(feature = "systems")]
        Some(Format::Icechunk) => Ok(Box::new(Icechunk::new(options)?)),
        #[cfg(feature = "files")]
        Some(Format::NetCdf) => Ok(Box::new(NetCdf::default())),
        #[cfg(feature = "files")]
        Some(Format::Tiff) => Ok(Box::new(Tiff::default())),
        #[cfg(feature = "hdf5")]
        Some(Format::Hdf5) => Ok(Box::new(Hdf5::default())),
        _ => Err(Error::Unsupported {
            feature: format!("the format {format:?}"),
            reason: "expected the name of a virtual store's format".to_owned(),
        }),
    }
}
