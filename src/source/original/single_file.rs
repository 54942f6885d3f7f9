//! The virtual store of one file: it asks for the bytes that a format's parser lacks, and lets it go on.

use std::fmt::{Debug, Formatter};

use super::pages::{FilePages, Found, Lack};
use crate::error::{Error, Result};
use crate::source::{ByteLocation, InputRequest, Resolution, VirtualStore};

/// A format of original files.
pub(crate) trait OriginalFile: Default + 'static {
    /// Name of such a file in messages.
    const NAME: &'static str;

    /// Reads what every key needs; it is called again with more bytes, and at once once it is there.
    fn prepare(&mut self, pages: &FilePages) -> Found<()>;

    /// Location of a key's bytes, once the file is prepared.
    fn find(&mut self, pages: &FilePages, key: &str) -> Found<ByteLocation>;
}

/// The store of a file of a format.
#[derive(Default)]
pub(crate) struct SingleFile<F> {
    pages: FilePages,
    file: F,
}

impl<F: OriginalFile> Debug for SingleFile<F> {
    /// Shows the kind of the file alone: what was read of it would take a third of the module to show.
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(F::NAME)
    }
}

impl<F: OriginalFile> SingleFile<F> {
    fn prepared(&mut self) -> Found<()> {
        if self.pages.has_begun() { self.file.prepare(&self.pages) } else { Err(Lack::Start) }
    }
}

impl<F: OriginalFile> VirtualStore for SingleFile<F> {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        match self.prepared() {
            Ok(()) => Ok(Vec::new()),
            Err(lack) => self.pages.requests(lack),
        }
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        match self.prepared().and_then(|()| self.file.find(&self.pages, key)) {
            Ok(place) => Ok(Resolution::Place(place)),
            Err(lack) => self.pages.requests(lack).map(Resolution::Needs),
        }
    }

    fn provide(&mut self, number: u64, bytes: Option<Vec<u8>>) -> Result<()> {
        if bytes.is_none() && !self.pages.has_begun() {
            let (wanted, hint) = (F::NAME.into(), "check the address".to_owned());
            return Err(Error::NotFound { wanted, path: String::new(), tried: Vec::new(), hint });
        }
        self.pages.provide(number, &bytes.unwrap_or_default());
        Ok(())
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}
