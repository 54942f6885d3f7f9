//! Manifests: one reference for each chunk, sorted by array and by chunk coordinates.
//!
//! Invariant: references stay encoded, and each is read when it is looked up, so a million of them cost no more than
//! their file.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use rectilinear_zarr_kernels::for_speed::{DecompressContext, Dictionary};

use super::encoding::file::{File, FileKind};
use super::encoding::flat::{FlatTable, required};
use super::encoding::id::Id;
use super::snapshot::SnapshotChunk;
use crate::codec::bytes_to_bytes::zstd;
use crate::error::{Error, Result};

/// Longest location in bytes, which is Icechunk's own limit.
const LONGEST_LOCATION: usize = 1024;

/// A manifest, behind a shared pointer.
#[derive(Clone)]
pub(super) struct Manifest(Rc<ManifestFile>);

struct ManifestFile {
    file: File,
    /// Context that decompresses locations, kept because parsing its dictionary takes longer than a location.
    unpacking: RefCell<Option<DecompressContext>>,
}

/// Reference to a chunk's bytes.
pub(super) enum Reference {
    Inline(Vec<u8>),
    /// A byte range of a chunk file of the repository.
    Native(Id, Range<u64>),
    /// A byte range of a file at a location outside the repository.
    Virtual(String, Range<u64>),
}

impl Manifest {
    /// Parses the manifest of an id.
    pub(super) fn parse(bytes: &[u8], id: Id) -> Result<Self> {
        let file = File::parse(bytes, FileKind::Manifest)?.named(id)?;
        Ok(Self(Rc::new(ManifestFile { file, unpacking: RefCell::default() })))
    }

    /// Bytes of the manifest in memory.
    pub(super) fn len(&self) -> usize {
        self.0.file.len()
    }

    /// Looks up a chunk; `None` where it is not stored.
    pub(super) fn find(&self, chunk: &SnapshotChunk<'_>) -> Result<Option<Reference>> {
        let root = self.0.file.root()?;
        for array in root.tables(1)?.iter() {
            let array = array?;
            if required(array.fixed(0)?, "node_id")? != chunk.node {
                continue;
            }
            let found = array.tables(1)?.search(|reference| {
                let index =
                    required(reference.items::<4>(0)?, "index")?.iter().map(|at| u32::from_le_bytes(*at));
                Ok(index.cmp(chunk.coords.iter().copied()))
            });
            return found?.map(|reference| self.read(&root, &reference)).transpose();
        }
        Ok(None)
    }

    fn read(&self, root: &FlatTable<'_>, reference: &FlatTable<'_>) -> Result<Reference> {
        let start = reference.long(2)?;
        let stop = start.checked_add(reference.long(3)?);
        let span =
            start..stop.ok_or_else(|| Error::metadata("", "a chunk ends past 2^64 bytes; it is damaged"))?;
        if let Some(id) = reference.fixed(4)? {
            return Ok(Reference::Native(Id(id), span));
        }
        if let Some(packed) = reference.bytes(8)? {
            return Ok(Reference::Virtual(self.unpacked(root, packed)?, span));
        }
        if let Some(location) = reference.text(5)? {
            return Ok(Reference::Virtual(location.to_owned(), span));
        }
        let inline = reference.bytes(1)?.map(|bytes| Reference::Inline(bytes.to_vec()));
        inline.ok_or_else(|| Error::metadata("", "a reference has neither a location nor inline bytes"))
    }

    /// Decompresses a location with the manifest's dictionary.
    fn unpacked(&self, root: &FlatTable<'_>, packed: &[u8]) -> Result<String> {
        let algorithm = root.fixed(3)?.map_or(1, |[algorithm]| algorithm);
        if algorithm != 1 {
            return Err(Error::Unsupported {
                feature: format!("compression {algorithm} of locations"),
                reason: "expected 1, Zstandard with a dictionary".to_owned(),
            });
        }
        let mut unpacking = self.0.unpacking.borrow_mut();
        let context = match unpacking.take() {
            Some(context) => context,
            None => {
                let bytes = required(root.bytes(2)?, "location_dictionary")?;
                let dictionary = Dictionary::from_bytes(bytes)
                    .map_err(|_| Error::metadata("", "its dictionary of locations is damaged"))?;
                DecompressContext::with_dict(dictionary)
            }
        };
        let location = zstd::unpacked_by(unpacking.insert(context), packed, LONGEST_LOCATION);
        location.and_then(|location| String::from_utf8(location).ok()).ok_or_else(|| {
            // The state of the context after a failed frame is unknown.
            *unpacking = None;
            Error::metadata(
                "",
                format!("a compressed location is damaged, or longer than {LONGEST_LOCATION} bytes"),
            )
        })
    }
}
