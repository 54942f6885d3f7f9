//! Errors, one variant for each party who must act: the caller, the data's owner, its host, or this package.
//!
//! Invariant: every message says what happened, where, and what to try; no data from the network can cause
//! a panic. The error names are public API: `js` uses them unchanged.

mod context;
mod gather;
mod packed;

use std::borrow::Cow;
use std::fmt;

use crate::parts::{ModulePart, PartMissing};

pub(crate) use gather::Gather;
pub(crate) use packed::{Packer, Unpacker};

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Error of opening or reading an array or a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// Nothing is stored where an array, a group or the index of a virtual store was expected.
    NotFound {
        /// Kind of object that was expected: "Zarr array", "list of references".
        wanted: Cow<'static, str>,
        /// Path inside the source, or the URL.
        path: String,
        /// Every key that was requested.
        tried: Vec<String>,
        /// Suggestion of what to try.
        hint: String,
    },
    /// The store answered with neither the bytes nor "missing".
    Store {
        /// The key, or URL, that was requested.
        key: String,
        /// HTTP status, if there was a response.
        status: Option<u16>,
        /// First byte and the byte after the last, if a range was requested.
        range: Option<(u64, u64)>,
        /// Description of what happened and what to try.
        reason: String,
    },
    /// The metadata document is not valid Zarr.
    InvalidMetadata {
        /// Key of the document; empty until the reader adds it.
        document: String,
        /// JSON pointer into the document (RFC 6901).
        path: String,
        /// Description of the fault.
        reason: String,
    },
    /// The data needs a feature that this package does not support.
    Unsupported {
        /// The missing feature, by its registered name where it has one.
        feature: String,
        /// Where the feature is used and what to try.
        reason: String,
    },
    /// A chunk's bytes do not decode to the chunk that the metadata declares.
    Codec(Box<CodecError>),
    /// The selection does not fit the array.
    Selection {
        /// The axis at fault, where it is one axis.
        axis: Option<usize>,
        /// Description of the fault.
        reason: String,
    },
    /// A value does not fit the type that it is read as.
    Range {
        /// Description of the value and what to try.
        reason: String,
    },
    /// The work needs a part of the main module that is not loaded. The room `js` loads it and begins again.
    PartMissing(ModulePart),
}

/// Where and how a chunk failed to decode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodecError {
    /// Registered name of the codec.
    pub codec: Cow<'static, str>,
    /// Store key of the chunk; empty until the reader adds it.
    pub key: String,
    /// Chunk coordinates; empty until the reader adds them.
    pub coords: Vec<u64>,
    /// Quantity that was found.
    pub got: Quantity,
    /// Quantity that was expected.
    pub expected: Quantity,
    /// Possible reason.
    pub hint: Cow<'static, str>,
}

/// One side of a comparison that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// A number of bytes.
    Bytes(u64),
    /// A description in words, such as a bound on the bytes or a state.
    Words(String),
    /// A 32-bit checksum.
    Checksum(u32),
}

impl Error {
    /// The error where bytes that another instance of the package packed, such as "a message between modules", are others
    /// than this one packs.
    pub(crate) fn other_version(bytes: &str) -> Self {
        Self::Unsupported {
            feature: format!("the format of {bytes}"),
            reason: "both sides may be of different versions; deploy all files of the package together"
                .to_owned(),
        }
    }

    /// An [`Error::Codec`] that does not know its chunk yet.
    pub fn codec(codec: &'static str, got: impl Into<Quantity>, expected: impl Into<Quantity>) -> Self {
        Self::Codec(Box::new(CodecError {
            codec: codec.into(),
            key: String::new(),
            coords: Vec::new(),
            got: got.into(),
            expected: expected.into(),
            hint: "the stored chunk is damaged or was written with other metadata".into(),
        }))
    }

    /// An [`Error::InvalidMetadata`] at a JSON pointer.
    pub fn metadata(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::InvalidMetadata { document: String::new(), path: path.into(), reason: reason.into() }
    }

    /// An [`Error::Selection`] on one axis.
    pub fn axis(axis: usize, reason: impl Into<String>) -> Self {
        Self::Selection { axis: Some(axis), reason: reason.into() }
    }

    /// Adds the document to an [`Error::InvalidMetadata`] or [`Error::NotFound`] that has none yet, and to an
    /// [`Error::Unsupported`]; other errors pass through.
    #[must_use]
    pub fn in_document(mut self, key: &str) -> Self {
        match &mut self {
            Self::InvalidMetadata { document, .. } if document.is_empty() => key.clone_into(document),
            Self::Unsupported { reason, .. } => *reason = format!("{reason} (in {key})"),
            Self::NotFound { path, tried, .. } if path.is_empty() => {
                key.clone_into(path);
                tried.push(key.to_owned());
            }
            _ => {}
        }
        self
    }

    /// The name that JavaScript sees on the error.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "NotFoundError",
            Self::Store { .. } => "StoreError",
            Self::InvalidMetadata { .. } => "InvalidMetadataError",
            Self::Unsupported { .. } | Self::PartMissing(_) => "UnsupportedError",
            Self::Codec(_) => "CodecError",
            Self::Selection { .. } => "SelectionError",
            Self::Range { .. } => "RangeError",
        }
    }
}

impl From<PartMissing> for Error {
    fn from(PartMissing(part): PartMissing) -> Self {
        Self::PartMissing(part)
    }
}

impl From<u64> for Quantity {
    fn from(bytes: u64) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<usize> for Quantity {
    fn from(bytes: usize) -> Self {
        Self::Bytes(bytes as u64)
    }
}

impl From<&str> for Quantity {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl From<String> for Quantity {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(1) => f.write_str("1 byte"),
            Self::Bytes(bytes) => write!(f, "{bytes} bytes"),
            Self::Words(words) => f.write_str(words),
            Self::Checksum(sum) => write!(f, "checksum {sum:#010x}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { wanted, path, tried, hint } => {
                write!(f, "no {wanted} at {path:?}: ")?;
                if !tried.is_empty() {
                    write!(f, "nothing is stored under {}; ", tried.join(", "))?;
                }
                f.write_str(hint)
            }
            Self::Store { key, status, range, reason } => {
                write!(f, "cannot read {key}")?;
                if let Some((start, stop)) = range {
                    write!(f, " (bytes {start} to {stop})")?;
                }
                if let Some(status) = status {
                    write!(f, ": HTTP {status}")?;
                }
                write!(f, ": {reason}")
            }
            Self::InvalidMetadata { document, path, reason } => {
                f.write_str("invalid Zarr metadata")?;
                // Errors that are found while reading have a pointer but no document.
                if !document.is_empty() {
                    write!(f, " in {document}")?;
                }
                if !path.is_empty() {
                    write!(f, " at {path}")?;
                }
                write!(f, ": {reason}")
            }
            Self::Unsupported { feature, reason } => write!(f, "{feature} is not supported: {reason}"),
            Self::Codec(error) => error.fmt(f),
            Self::Selection { axis: Some(axis), reason } => write!(f, "selection on axis {axis}: {reason}"),
            Self::Selection { axis: None, reason } => write!(f, "selection: {reason}"),
            Self::Range { reason } => f.write_str(reason),
            Self::PartMissing(part) => {
                write!(f, "a call before the part {} of the module is loaded is not supported", part.name())
            }
        }
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "chunk {:?} ({}) does not decode: codec {} got {}, expected {}; {}",
            self.coords, self.key, self.codec, self.got, self.expected, self.hint
        )
    }
}

impl std::error::Error for Error {}
