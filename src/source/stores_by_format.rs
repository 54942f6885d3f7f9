//! Virtual stores by the names of their formats.

use super::cfdb::Cfdb;
use super::icechunk::Icechunk;
use super::kerchunk::{Kerchunk, KerchunkFolder};
use super::{Format, VirtualStore};
use crate::error::{Error, Result};
use crate::metadata::Value;

/// Creates the virtual store of a format, with the caller's options as a JSON object.
///
/// # Errors
/// [`Error::Unsupported`] where the format is not one of a virtual store, or does not take the options.
pub fn system(format: &str, options: &Value) -> Result<Box<dyn VirtualStore>> {
    if format == Format::KerchunkFolder.name() {
        return Ok(Box::new(KerchunkFolder::default()));
    }
    match Format::named(format) {
        Some(Format::Cfdb) => Ok(Box::new(Cfdb::default())),
        Some(Format::Kerchunk) => Ok(Box::new(Kerchunk::default())),
        Some(Format::Icechunk) => Ok(Box::new(Icechunk::new(options)?)),
        Some(Format::Zarr | Format::KerchunkFolder) | None => Err(Error::Unsupported {
            feature: format!("the format {format:?}"),
            reason: "expected \"kerchunk\", \"icechunk\" or \"cfdb\"".to_owned(),
        }),
    }
}
