//! A system beside plain Zarr: it says of each key of a Zarr hierarchy where the bytes are, from what it was told.
//!
//! Invariant: a system never asks, and never holds more than it was told. A new one is a folder beside this file, with
//! its name in [`Format`].

use super::cfdb::Cfdb;
use super::icechunk::Icechunk;
use super::kerchunk::Kerchunk;
use super::{Finding, Format, Need, no_answer};
use crate::error::{Error, Result};
use crate::metadata::Value;

/// A system, and what it was told.
pub trait System: std::fmt::Debug {
    /// What it has to be told before it can say of any key whether it is there; empty once it was.
    ///
    /// # Errors
    /// Those of what it was asked to be opened at.
    fn needs(&mut self) -> Result<Vec<Need>>;

    /// Where the bytes of a key are.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where what is said of it is malformed, [`Error::Unsupported`].
    fn find(&mut self, key: &str) -> Result<Finding>;

    /// Tells what is at the place of a need of this number; nothing where the file is not there.
    ///
    /// # Errors
    /// [`Error::NotFound`] where that should be there, or is of another kind; [`Error::InvalidMetadata`],
    /// [`Error::Unsupported`].
    fn tell(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()>;

    /// The same, to be told anew; what cannot have changed it may still know.
    fn anew(&self) -> Box<dyn System>;

    /// What it says to a question beside keys, as JSON that stands in a place: `snapshots`, or `refs`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where it knows nothing of that.
    fn answer(&mut self, question: &str) -> Result<Finding> {
        Err(no_answer(question))
    }
}

/// A system of a format, which was told nothing yet, with the options of a caller, a JSON object.
///
/// # Errors
/// [`Error::Unsupported`] for what is none, and for options that it does not take.
pub fn system(format: &str, options: &Value) -> Result<Box<dyn System>> {
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
