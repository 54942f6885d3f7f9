//! Files of Icechunk's own: a header, and a flatbuffer that Zstandard may have compressed.
//!
//! Spec: <https://icechunk.io/en/latest/reference/spec-v2-1/#binary-file-format>

use std::borrow::Cow;

use super::flat::{FlatTable, Read, required};
use super::id::Id;
use crate::codec::bytes_to_bytes::zstd;
use crate::error::{Error, Result};

/// Magic bytes of every file.
const MAGIC: &[u8; 12] = b"ICE\xf0\x9f\xa7\x8aCHUNK";

/// Magic, the name of what wrote it, the specification's version, the kind, the compression.
const HEADER: usize = 12 + 24 + 3;

/// The most bytes that a file may come to: 512 MiB, some six million references of a manifest.
///
/// The reason: it is held whole, and a few bytes of Zstandard may say that there are that many.
pub const MAX_FILE_BYTES: usize = 512 << 20;

/// Kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Snapshot = 1,
    Manifest = 2,
    Repository = 6,
}

/// A file: the version of its specification, and a buffer whose root was looked at.
pub(crate) struct File {
    pub(crate) version: u8,
    buffer: Vec<u8>,
}

/// Whether bytes begin as Icechunk's files do.
pub(crate) fn is_icechunk(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl File {
    /// A file of a kind.
    pub(crate) fn parse(bytes: &[u8], kind: FileKind) -> Result<Self> {
        if !is_icechunk(bytes) {
            return Err(Error::metadata(
                "",
                "it does not begin as the files of Icechunk do; is it another file?",
            ));
        }
        let Some((header, content)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(Error::metadata("", "it is cut short in its header"));
        };
        let [.., version, found, compression] = *header;
        if !(1..=2).contains(&version) {
            return Err(Error::Unsupported {
                feature: format!("version {version} of Icechunk's specification"),
                reason: "versions 1 and 2 are read".to_owned(),
            });
        }
        if found != kind as u8 {
            let reason = format!("its kind is {found}, and {} is expected there ({kind:?})", kind as u8);
            return Err(Error::metadata("", reason));
        }
        let content = match compression {
            0 => Cow::Borrowed(content),
            1 => Cow::Owned(zstd::unpacked(content, MAX_FILE_BYTES).map_err(damaged)?),
            _ => {
                return Err(Error::Unsupported {
                    feature: format!("compression {compression} of Icechunk's files"),
                    reason: "0, none, and 1, Zstandard, are read".to_owned(),
                });
            }
        };
        let file = Self { version, buffer: content.into_owned() };
        // Such files say version 1 too.
        if file.root().is_err() && header[MAGIC.len()..].starts_with(b"ic-0.") {
            return Err(before_flatbuffers());
        }
        file.root()?;
        Ok(file)
    }

    /// This file, if it has the id that its name says: its first field, where it has one.
    pub(crate) fn named(self, id: Id) -> Result<Self> {
        let found = Id(required(self.root()?.fixed(0)?, "id")?);
        if found != id {
            return Err(Error::metadata(
                "",
                format!("it has the id {found}, and is named {id}; is it another file?"),
            ));
        }
        Ok(self)
    }

    /// The table that the file is.
    pub(crate) fn root(&self) -> Read<FlatTable<'_>> {
        FlatTable::root(&self.buffer)
    }

    /// How many bytes it holds.
    pub(crate) fn len(&self) -> usize {
        self.buffer.len()
    }
}

/// That a repository is one of Icechunk's first, of 2024, whose files hold MessagePack.
pub(crate) fn before_flatbuffers() -> Error {
    Error::Unsupported {
        feature: "Icechunk before 1.0, whose files hold MessagePack".to_owned(),
        reason: "versions 1 and 2 of its specification are read; copy the arrays into a repository of Icechunk 1.0 or later"
            .to_owned(),
    }
}

/// Error for damaged compressed bytes, which are no chunk's.
pub(crate) fn damaged(error: Error) -> Error {
    match error {
        Error::Codec(error) => {
            let reason = format!("Zstandard got {}, expected {}; it is damaged", error.got, error.expected);
            Error::metadata("", reason)
        }
        other => other,
    }
}
