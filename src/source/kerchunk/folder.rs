//! Kerchunk references in Parquet: a folder with the documents in its `.zmetadata`, and the references of each array's
//! chunks in files of `record_size` rows, as fsspec's `LazyReferenceMapper` writes them.
//!
//! Chunk n is row n mod `record_size` of `{array}/refs.{n div record_size}.parq`. A file that is missing has no chunks.
//! Documents are of Zarr v2.

use std::rc::Rc;

use super::chunk_numbers::ChunkNumbers;
use super::records::{MOST_RECORDS, Records};
use super::references::References;
use crate::error::{Error, Result};
use crate::metadata::{Json, member, member_value, members, quote_bare_numbers};
use crate::network::{ByteRange, join};
use crate::source::kept_inputs::KeptInputs;
use crate::source::{ByteLocation, InputRequest, Resolution, VirtualStore};

/// Key of the document of the folder.
const DOCUMENT: &str = ".zmetadata";

/// Most bytes of references that are kept: 128 MiB, or one file that is larger.
const KEPT_BYTES: usize = 128 << 20;

/// References of a file; `None` where it does not exist.
type KnownRecords = Option<Rc<Records>>;

/// A folder of references; holds its documents once they are provided.
#[derive(Debug)]
pub struct KerchunkFolder {
    documents: Option<References>,
    record_size: u64,
    /// Numbers of chunks, by the path of their array. A list, because another map of texts would be more to download.
    arrays: Vec<(String, ChunkNumbers)>,
    /// Files of references by name. The number of a file is one more than here, as the document has number 0.
    files: KeptInputs<String, KnownRecords>,
}

impl Default for KerchunkFolder {
    fn default() -> Self {
        Self { documents: None, record_size: 0, arrays: Vec::new(), files: KeptInputs::new(KEPT_BYTES) }
    }
}

impl KerchunkFolder {
    /// Number of a chunk in its array, and the path of that; `None` where the key is not that of a chunk.
    fn chunk(&mut self, documents: &References, key: &str) -> Result<Option<(String, u64)>> {
        // The coordinates may be segments of their own, and an array is never in another.
        let ends = key.match_indices('/').map(|(at, _)| at).rev().map(|at| (&key[..at], &key[at + 1..]));
        for (path, inside) in ends.chain([("", key)]) {
            let known = self.arrays.iter().position(|(own, _)| own == path);
            let at = match known {
                Some(at) => at,
                None => {
                    let name = join(path, ".zarray");
                    let Some(document) = documents.document(&name) else { continue };
                    let numbers = ChunkNumbers::parse(&document).map_err(|error| error.in_document(&name))?;
                    self.arrays.push((path.to_owned(), numbers));
                    self.arrays.len() - 1
                }
            };
            return Ok(self.arrays[at].1.number(inside).map(|number| (path.to_owned(), number)));
        }
        Ok(None)
    }

    fn place(&mut self, documents: &References, key: &str) -> Result<Resolution> {
        let found = documents.place(key)?;
        if found != ByteLocation::Missing {
            return Ok(Resolution::Place(found));
        }
        let Some((path, number)) = self.chunk(documents, key)? else { return Ok(Resolution::Place(found)) };
        let url = join(&path, &format!("refs.{}.parq", number / self.record_size));
        let row = usize::try_from(number % self.record_size).unwrap_or(usize::MAX);
        let (number, records) = self.files.get(&url);
        match records {
            None => {
                let need = InputRequest { number: number + 1, url, range: ByteRange::All };
                Ok(Resolution::Needs(vec![need]))
            }
            Some(None) => Ok(Resolution::Place(ByteLocation::Missing)),
            Some(Some(records)) => {
                let place = records.fits(self.record_size).and_then(|()| records.place(row));
                place.map(Resolution::Place).map_err(|error| error.in_document(&url))
            }
        }
    }
}

impl VirtualStore for KerchunkFolder {
    fn needs(&mut self) -> Result<Vec<InputRequest>> {
        let document = InputRequest { number: 0, url: DOCUMENT.to_owned(), range: ByteRange::All };
        Ok(if self.documents.is_none() { vec![document] } else { Vec::new() })
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        let Some(documents) = self.documents.take() else { return self.needs().map(Resolution::Needs) };
        let found = self.place(&documents, key);
        self.documents = Some(documents);
        found
    }

    fn provide(&mut self, number: u64, bytes: Option<&[u8]>) -> Result<()> {
        let Some(number) = number.checked_sub(1) else {
            let found = bytes.map(References::parse_folder).transpose()?.flatten();
            let (documents, record_size) = found.ok_or_else(nothing)?;
            self.documents = Some(documents);
            self.record_size = record_size;
            return Ok(());
        };
        let Some(url) = self.files.name(number).cloned() else { return Ok(()) };
        let records = bytes.map(Records::parse).transpose()?.map(Rc::new);
        let bytes = records.as_ref().map_or(0, |records| records.size());
        self.files.keep(&url, records, bytes);
        Ok(())
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}

impl References {
    /// Parses the document of a folder and its record size; `None` where it is one of consolidated metadata alone, or
    /// has no documents.
    fn parse_folder(document: &[u8]) -> Result<Option<(Self, u64)>> {
        let text = quote_bare_numbers(document);
        let Some(fields) = members(&text) else {
            let value = Json::parse(document)?;
            return Err(Json::root(&value).expected("an object"));
        };
        let Some(size) = member_value(&fields, "record_size") else {
            let is_consolidated = member(&fields, "zarr_consolidated_format").is_some();
            return if is_consolidated || member(&fields, "metadata").is_none() {
                Ok(None)
            } else {
                let reason = "the number of references in each file is missing; write it, as fsspec's \
                              LazyReferenceMapper does";
                Err(Error::metadata("/record_size", reason))
            };
        };
        let record_size = Json::at(&size, "/record_size").integer(1)?;
        if record_size > MOST_RECORDS {
            return Err(Error::Unsupported {
                feature: format!("{record_size} references in a file of kerchunk references"),
                reason: format!("write them with a record_size of at most {MOST_RECORDS}"),
            });
        }
        let own = member(&fields, "metadata").unwrap_or_default();
        Ok(Some((Self::of_object(own, "/metadata")?, record_size)))
    }
}

fn nothing() -> Error {
    let hint =
        "it has no kerchunk references in Parquet, which a .zmetadata with \"record_size\" marks; check the \
                address"
            .to_owned();
    Error::NotFound {
        wanted: "folder of kerchunk references".into(),
        path: String::new(),
        tried: Vec::new(),
        hint,
    }
}
