//! Files of Icechunk: a header, and a FlatBuffer that may be compressed with Zstandard.
//!
//! Spec: <https://icechunk.io/en/latest/reference/spec-v2-1/#binary-file-format>

use std::borrow::Cow;

use super::flat::{FlatTable, Read, required};
use super::id::Id;
use crate::codec::bytes_to_bytes::zstd;
use crate::error::{Error, Result};

/// Signature of every file.
const MAGIC: &[u8; 12] = b"ICE\xf0\x9f\xa7\x8aCHUNK";

/// Bytes of the header: signature, name of the writer, version of the specification, kind, compression.
const HEADER: usize = 12 + 24 + 3;

/// Most bytes of a decompressed file: 512 MiB, some six million references of a manifest.
///
/// The file is held whole in memory, and a few compressed bytes may claim any size.
pub const MAX_FILE_BYTES: usize = 512 << 20;

/// Kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Snapshot = 1,
    Manifest = 2,
    Repository = 6,
}

/// A file: the version of its specification, and a FlatBuffer whose root table is valid.
pub(crate) struct File {
    pub(crate) version: u8,
    buffer: Vec<u8>,
}

/// Whether bytes begin with Icechunk's signature.
pub(crate) fn is_icechunk(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl File {
    /// Parses a file of a kind.
    pub(crate) fn parse(bytes: &[u8], kind: FileKind) -> Result<Self> {
        if !is_icechunk(bytes) {
            return Err(Error::metadata("", "the signature of Icechunk is missing; is it another file?"));
        }
        let Some((header, content)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(Error::metadata("", "the file ends within its header"));
        };
        let [.., version, found, compression] = *header;
        if !(1..=2).contains(&version) {
            return Err(Error::Unsupported {
                feature: format!("version {version} of Icechunk's specification"),
                reason: "versions 1 and 2 can be read".to_owned(),
            });
        }
        if found != kind as u8 {
            let reason = format!("expected a file of kind {} ({kind:?}), found kind {found}", kind as u8);
            return Err(Error::metadata("", reason));
        }
        let content = match compression {
            0 => Cow::Borrowed(content),
            1 => Cow::Owned(zstd::unpacked(content, MAX_FILE_BYTES).map_err(damaged)?),
            _ => {
                return Err(Error::Unsupported {
                    feature: format!("compression {compression} of Icechunk's files"),
                    reason: "expected 0 (none) or 1 (Zstandard)".to_owned(),
                });
            }
        };
        let file = Self { version, buffer: content.into_owned() };
        // Files from before 1.0 have version 1 in their header too.
        if file.root().is_err() && header[MAGIC.len()..].starts_with(b"ic-0.") {
            return Err(before_flatbuffers());
        }
        file.root()?;
        Ok(file)
    }

    /// Checks the file's id, which is its first field, against the id in its name.
    pub(crate) fn named(self, id: Id) -> Result<Self> {
        let found = Id(required(self.root()?.fixed(0)?, "id")?);
        if found != id {
            return Err(Error::metadata(
                "",
                format!("expected the id {id} of the file's name, found {found}; is it another file?"),
            ));
        }
        Ok(self)
    }

    /// Root table of the file.
    pub(crate) fn root(&self) -> Read<FlatTable<'_>> {
        FlatTable::root(&self.buffer)
    }

    /// Bytes of the decompressed content.
    pub(crate) fn len(&self) -> usize {
        self.buffer.len()
    }
}

/// Error for a repository written by Icechunk before 1.0, in 2024, whose files hold MessagePack.
pub(crate) fn before_flatbuffers() -> Error {
    Error::Unsupported {
        feature: "Icechunk before 1.0, whose files hold MessagePack".to_owned(),
        reason: "versions 1 and 2 of its specification can be read; copy the arrays to a repository of \
                 Icechunk 1.0 or later"
            .to_owned(),
    }
}

/// Turns the codec error of a damaged compressed file into one about metadata.
pub(crate) fn damaged(error: Error) -> Error {
    match error {
        Error::Codec(error) => {
            let reason = format!("Zstandard expected {}, found {}; it is damaged", error.expected, error.got);
            Error::metadata("", reason)
        }
        other => other,
    }
}
