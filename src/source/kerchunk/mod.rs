//! Kerchunk's references: a JSON document that says of each Zarr key where its bytes are in other files.
//!
//! Spec: <https://fsspec.github.io/kerchunk/spec.html>, versions 0 (keys alone) and 1 (`refs`, `templates`). Of
//! templates, names in double braces are read; `gen`, and anything else of Jinja, is an error that says so.

mod consolidated;
mod references;
mod template;

pub use references::References;

use super::{ByteRange, InputRequest, Resolution, VirtualStore};
use crate::error::{Error, Result};

/// Kerchunk's references, once their document was read.
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

    fn tell(&mut self, _: u64, bytes: Option<&[u8]>) -> Result<()> {
        self.0 = bytes.map(References::parse).transpose()?.flatten();
        if self.0.is_some() {
            return Ok(());
        }
        let hint = "it is no JSON document with references of kerchunk; check the address".to_owned();
        let wanted = "list of kerchunk's references".into();
        Err(Error::NotFound { wanted, path: String::new(), tried: Vec::new(), hint })
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}
