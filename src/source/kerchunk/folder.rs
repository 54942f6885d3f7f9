//! Kerchunk references in Parquet: a folder with the documents in its `.zmetadata`, and the references of each array's
//! chunks in files of `record_size` rows, as fsspec's `LazyReferenceMapper` writes them.
//!
//! Chunk n is row n mod `record_size` of `{array}/refs.{n div record_size}.parq`. A file that is missing has no chunks.
//! Documents are of Zarr v2.

use std::rc::Rc;

use super::chunk_numbers::ChunkNumbers;
use super::records::{MOST_RECORDS, Records, RecordsReader};
use super::references::{References, expected_object};
use crate::error::{Error, Result};
use crate::metadata::{Json, ScannedJson};
use crate::network::{ByteRange, join};
use crate::source::cached_inputs::CachedInputs;
use crate::source::{ByteLocation, InputRequest, Resolution, VirtualStore};

/// Key of the document of the folder.
const DOCUMENT: &str = ".zmetadata";

/// Most bytes of references that are cached: 128 MiB, or one file that is larger.
const CACHED_BYTES: usize = 128 << 20;

/// References of a file; `None` where it does not exist.
type KnownRecords = Option<Rc<Records>>;

/// A folder of references; holds its documents once they are provided and read.
#[derive(Debug)]
pub struct KerchunkFolder {
    /// The document of the folder while it is scanned.
    document: Option<ScannedJson>,
    documents: Option<References>,
    record_size: u64,
    /// Numbers of chunks, by the path of their array. A list, because another map of texts would be more to download.
    arrays: Vec<(String, ChunkNumbers)>,
    /// Files of references by name. The number of a file is one more than here, as the document has number 0.
    files: CachedInputs<String, KnownRecords>,
    /// Files that are read, by their numbers.
    readers: Vec<(u64, RecordsReader)>,
}

impl Default for KerchunkFolder {
    fn default() -> Self {
        Self {
            document: None,
            documents: None,
            record_size: 0,
            arrays: Vec::new(),
            files: CachedInputs::new(CACHED_BYTES),
            readers: Vec::new(),
        }
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
                let need = InputRequest::plain(number + 1, url, ByteRange::All);
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
        let document = InputRequest::plain(0, DOCUMENT.to_owned(), ByteRange::All);
        Ok(if self.documents.is_none() { vec![document] } else { Vec::new() })
    }

    fn find(&mut self, key: &str) -> Result<Resolution> {
        let Some(documents) = self.documents.take() else { return self.needs().map(Resolution::Needs) };
        let found = self.place(&documents, key);
        self.documents = Some(documents);
        found
    }

    fn provide(&mut self, number: u64, bytes: Option<Vec<u8>>) -> Result<()> {
        let Some(number) = number.checked_sub(1) else {
            self.document = Some(ScannedJson::new(bytes.ok_or_else(nothing)?, &["metadata"]));
            return Ok(());
        };
        let Some(url) = self.files.name(number).cloned() else { return Ok(()) };
        match bytes {
            Some(bytes) => {
                self.readers.retain(|(known, _)| *known != number);
                self.readers.push((number, RecordsReader::new(bytes)?));
            }
            None => self.files.put(&url, None, 0),
        }
        Ok(())
    }

    fn work(&mut self, number: u64) -> Result<bool> {
        if let Some(number) = number.checked_sub(1) {
            let at = self.readers.iter().position(|(known, _)| *known == number);
            let Some(at) = at else { return Ok(true) };
            let step = self.readers[at].1.step();
            if step == Ok(false) {
                return Ok(false);
            }
            let (_, reader) = self.readers.swap_remove(at);
            step?;
            let (records, url) = (reader.records()?, self.files.name(number).cloned());
            let bytes = records.size();
            if let Some(url) = url {
                self.files.put(&url, Some(Rc::new(records)), bytes);
            }
            return Ok(true);
        }
        if let Some(document) = &mut self.document
            && !document.step()
        {
            return Ok(false);
        }
        if let Some(document) = self.document.take() {
            let (record_size, documents) = contents(document)?.ok_or_else(nothing)?;
            (self.record_size, self.documents) = (record_size, Some(documents));
        }
        Ok(self.documents.as_mut().is_none_or(References::step))
    }

    fn anew(&self) -> Box<dyn VirtualStore> {
        Box::new(Self::default())
    }
}

/// The record size and the documents of a folder; `None` where its document is one of consolidated metadata alone, or
/// has no documents.
fn contents(document: ScannedJson) -> Result<Option<(u64, References)>> {
    document.check()?;
    if document.len(0).is_none() {
        return Err(expected_object(document.text()));
    }
    let has_documents = document.get(0, "metadata").is_some();
    let Some(size) = document.value(0, "record_size") else {
        if !has_documents || document.get(0, "zarr_consolidated_format").is_some() {
            return Ok(None);
        }
        let reason = "the number of references in each file is missing; write it, as fsspec's \
                      LazyReferenceMapper does";
        return Err(Error::metadata("/record_size", reason));
    };
    let record_size = Json::at(&size, "/record_size").integer(1)?;
    if record_size > MOST_RECORDS {
        return Err(Error::Unsupported {
            feature: format!("{record_size} references in a file of kerchunk references"),
            reason: format!("write them with a record_size of at most {MOST_RECORDS}"),
        });
    }
    Ok(Some((record_size, References::at(document, 1, "/metadata")?)))
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
