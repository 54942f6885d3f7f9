//! Kerchunk references: a JSON document that maps each Zarr key to a byte range of another file, or a folder of Parquet
//! files that do so for chunks.
//!
//! Spec: <https://fsspec.github.io/kerchunk/spec.html>, versions 0 (keys alone) and 1 (`refs`, `templates`). Templates
//! may hold names in double braces; `gen`, and any other Jinja syntax, is an [`Error::Unsupported`].

mod chunk_numbers;
mod consolidated;
mod folder;
mod parquet;
mod records;
mod references;
mod template;

pub use folder::KerchunkFolder;
pub use references::References;

use super::{InputRequest, Resolution, VirtualStore};
use crate::error::{Error, Result};
use crate::network::ByteRange;

/// A kerchunk store; holds its references once their document is provided.
#[derive(Debug, Default)]
pub struct Kerchunk(Option<References>);

impl VirtualStore for Kerchunk {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        let document = InputRequest { number: 0, url: String::new(), range: ByteRange::All };
        Ok(if self.0.is_none() { vec![document] } else { Vec::new() })
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        match &self.0 {
            Some(references) => references.place(key).map(Resolution::Place),
            None => self.needs().map(Resolution::Needs),
        }
    }

    fn provide(&mut self, _: u64, bytes: Option<&[u8]>) -> Result<()> {
        self.0 = bytes.map(References::parse).transpose()?.flatten();
        if self.0.is_some() {
            return Ok(());
        }
        let hint = "it has no kerchunk references; check the address".to_owned();
        let wanted = "kerchunk reference file".into();
        Err(Error::NotFound { wanted, path: String::new(), tried: Vec::new(), hint })
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}
