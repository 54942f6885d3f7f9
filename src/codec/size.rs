//! Bounds on the bytes that a codec gives, known before it runs.

use crate::error::{Error, Quantity, Result};
#[cfg(any(feature = "bz2", feature = "gzip", feature = "lzma", feature = "rare", feature = "zstd"))]
use crate::output::memory::reserved;

/// How many bytes a codec's output has, known before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// This many, and anything else is an error.
    Exactly(usize),
    /// No more than this: what lies between two compressors cannot be known.
    AtMost(usize),
}

impl Size {
    /// The most bytes that compressing this much may give.
    ///
    /// No sane encoder expands by more than a thousandth; twice and a mebibyte leaves room for members and frames of a
    /// few bytes each, and for skippable frames.
    pub(super) fn compressed(self) -> Self {
        let (Self::Exactly(bytes) | Self::AtMost(bytes)) = self;
        Self::AtMost(bytes.saturating_mul(2).saturating_add(1 << 20))
    }

    /// Memory to decode into: all of it where the size is known, else room that grows up to the limit.
    #[cfg(any(feature = "bz2", feature = "gzip", feature = "lzma", feature = "rare", feature = "zstd"))]
    pub(super) fn room(self, slack: usize) -> Result<Vec<u8>> {
        match self {
            Self::Exactly(bytes) => reserved(bytes.saturating_add(slack)),
            Self::AtMost(_) => Ok(Vec::new()),
        }
    }

    /// Plus a fixed number of bytes.
    pub(super) fn plus(self, more: usize) -> Self {
        match self {
            Self::Exactly(bytes) => Self::Exactly(bytes.saturating_add(more)),
            Self::AtMost(bytes) => Self::AtMost(bytes.saturating_add(more)),
        }
    }

    /// The most bytes.
    pub(super) fn limit(self) -> usize {
        let (Self::Exactly(bytes) | Self::AtMost(bytes)) = self;
        bytes
    }

    /// That this many bytes are acceptable.
    pub(super) fn check(self, codec: &'static str, got: usize) -> Result<()> {
        match self {
            Self::Exactly(bytes) if got != bytes => Err(Error::codec(codec, got, bytes)),
            Self::AtMost(bytes) if got > bytes => Err(self.oversized(codec)),
            _ => Ok(()),
        }
    }

    /// That there is more than there may be.
    pub(super) fn oversized(self, codec: &'static str) -> Error {
        let expected = match self {
            Self::Exactly(bytes) => bytes.into(),
            Self::AtMost(bytes) => Quantity::Words(format!("at most {bytes} bytes")),
        };
        Error::codec(codec, format!("more than {} bytes", self.limit()), expected)
    }
}
