//! Kerchunk references: a JSON document, compressed by zstd or not, that maps each Zarr key to a byte range of another
//! file, or a folder of Parquet files that do so for chunks.
//!
//! Spec: <https://fsspec.github.io/kerchunk/spec.html>, versions 0 (keys alone) and 1 (`refs`, `templates`). Templates
//! may hold names in double braces; `gen`, and any other Jinja syntax, is an [`Error::Unsupported`].

mod chunk_numbers;
mod consolidated;
mod data_address;
mod folder;
mod parquet;
mod records;
mod references;
mod template;

pub use folder::KerchunkFolder;
pub use references::References;

use super::{InputRequest, MAX_TOLD_BYTES, Resolution, VirtualStore};
use crate::codec::bytes_to_bytes::zstd;
use crate::error::{Error, Result};
use crate::metadata::ScannedJson;
use crate::network::ByteRange;

/// The first bytes of a document that is compressed with zstd.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// A kerchunk store; holds its references once their document is provided and read.
#[derive(Debug, Default)]
pub struct Kerchunk {
    /// The document while it is scanned.
    document: Option<ScannedJson>,
    references: Option<References>,
}

impl VirtualStore for Kerchunk {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        let document = InputRequest::plain(0, String::new(), ByteRange::All);
        Ok(if self.references.is_none() { vec![document] } else { Vec::new() })
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        match &self.references {
            Some(references) => references.place(key).map(Resolution::Place),
            None => self.needs().map(Resolution::Needs),
        }
    }

    fn provide(&mut self, _: u64, bytes: Option<Vec<u8>>) -> Result<()> {
        let mut document = bytes.ok_or_else(nothing)?;
        if document.starts_with(ZSTD) {
            document = zstd::unpacked(&document, MAX_TOLD_BYTES).map_err(damaged)?;
        }
        *self = Self { document: Some(ScannedJson::new(document, References::PATH)), references: None };
        Ok(())
    }

    fn work(&mut self, _: u64) -> Result<bool> {
        if let Some(document) = &mut self.document
            && !document.step()
        {
            return Ok(false);
        }
        if let Some(document) = self.document.take() {
            self.references = Some(References::of(document)?.ok_or_else(nothing)?);
        }
        Ok(self.references.as_mut().is_none_or(References::step))
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}

/// The error of a document that cannot be decompressed.
fn damaged(error: Error) -> Error {
    Error::metadata("", format!("not a reference document: {error}"))
}

fn nothing() -> Error {
    let hint = "it has no kerchunk references; check the address".to_owned();
    let wanted = "kerchunk reference file".into();
    Error::NotFound { wanted, path: String::new(), tried: Vec::new(), hint }
}
