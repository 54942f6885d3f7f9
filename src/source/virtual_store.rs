//! Virtual stores: formats that map the keys of a Zarr hierarchy to byte ranges of other files.
//!
//! Invariant: a virtual store fetches nothing; it looks keys up in the inputs that it was provided. A new one is a
//! folder beside this file, with its name in [`super::Format`].

use super::{InputRequest, Resolution, no_answer};
use crate::error::Result;

/// A virtual store and the inputs that it was provided.
pub trait VirtualStore: std::fmt::Debug {
    /// Inputs that every look-up needs; empty once they are provided.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the version that the caller asked for does not exist.
    fn needs(&mut self) -> Result<Vec<InputRequest>>;

    /// Looks up the location of a key's bytes.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where the key's entry is malformed, [`Error::Unsupported`] where it uses a feature
    /// that is missing here.
    fn find(&mut self, key: &str) -> Result<Resolution>;

    /// Provides the input of this number; `None` where the file does not exist. [`Self::work`] is to follow.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the file must exist, or is of another kind; [`Error::InvalidMetadata`] where it is
    /// malformed; [`Error::Unsupported`] where it uses a feature that is missing here.
    fn provide(&mut self, number: u64, bytes: Option<Vec<u8>>) -> Result<()>;

    /// Does a step, of about a millisecond, of the work on an input that was provided; returns whether it is done.
    ///
    /// # Errors
    /// As [`Self::provide`].
    fn work(&mut self, number: u64) -> Result<bool> {
        let _ = number;
        Ok(true)
    }

    /// Provides an input, and does all of the work on it.
    ///
    /// # Errors
    /// As [`Self::provide`].
    fn tell(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()> {
        self.provide(number, bytes.map(<[u8]>::to_vec))?;
        while !self.work(number)? {}
        Ok(())
    }

    /// A copy without the inputs that may have changed.
    fn anew(&self) -> Box<dyn VirtualStore>;

    /// Lists `snapshots` or `refs`, as JSON in a [`super::ByteLocation::Inline`].
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the format has no such list.
    fn answer(&mut self, question: &str) -> Result<Resolution> {
        Err(no_answer(question))
    }
}
