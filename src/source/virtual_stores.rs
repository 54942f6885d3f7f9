//! The systems beside plain Zarr, by the names of their formats.

use super::cfdb::Cfdb;
use super::icechunk::Icechunk;
use super::kerchunk::Kerchunk;
use super::{Format, VirtualStore};
use crate::error::{Error, Result};
use crate::metadata::Value;

/// A system of a format, which was told nothing yet, with the options of a caller, a JSON object.
///
/// # Errors
/// [`Error::Unsupported`] for what is none, and for options that it does not take.
pub fn system(format: &str, options: &Value) -> Result<Box<dyn VirtualStore>> {
    match Format::named(format) {
        Some(Format::Cfdb) => Ok(Box::new(Cfdb::default())),
        Some(Format::Kerchunk) => Ok(Box::new(Kerchunk::default())),
        Some(Format::Icechunk) => Ok(Box::new(Icechunk::new(options)?)),
        Some(Format::Zarr) | None => Err(Error::Unsupported {
            feature: format!("the format {format:?}"),
            reason: "it is none that says where the bytes of Zarr are".to_owned(),
        }),
    }
}
