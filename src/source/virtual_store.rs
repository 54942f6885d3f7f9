//! A system beside plain Zarr: it says of each key of a Zarr hierarchy where the bytes are, from what it was told.
//!
//! Invariant: a system never asks, and never holds more than it was told. A new one is a folder beside this file, with
//! its name in [`super::Format`].

use super::{InputRequest, Resolution, no_answer};
use crate::error::Result;

/// A system, and what it was told.
pub trait VirtualStore: std::fmt::Debug {
    /// Inputs that it has to be told before it can say of any key whether it is there; empty once it was.
    ///
    /// # Errors
    /// Those of what it was asked to be opened at.
    fn needs(&mut self) -> Result<Vec<InputRequest>>;

    /// Where the bytes of a key are.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where what is said of it is malformed, [`Error::Unsupported`].
    fn find(&mut self, key: &str) -> Result<Resolution>;

    /// Tells what is at the place of a need of this number; nothing where the file is not there.
    ///
    /// # Errors
    /// [`Error::NotFound`] where that should be there, or is of another kind; [`Error::InvalidMetadata`],
    /// [`Error::Unsupported`].
    fn tell(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()>;

    /// This system, to be told anew; what cannot have changed it may still know.
    fn anew(&self) -> Box<dyn VirtualStore>;

    /// Answer to a question beside keys, as JSON that stands in a place: `snapshots`, or `refs`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where it knows nothing of that.
    fn answer(&mut self, question: &str) -> Result<Resolution> {
        Err(no_answer(question))
    }
}
