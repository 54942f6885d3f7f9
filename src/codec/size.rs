//! Bounds on the size of a codec's output, known before the codec runs.

use crate::error::{Error, Quantity, Result};
#[cfg(any(feature = "bz2", feature = "lzma", feature = "rare", feature = "zstd"))]
use crate::output::memory::reserved;

/// Size in bytes of a codec's output, known before the codec runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Exactly this many bytes.
    Exactly(usize),
    /// At most this many bytes: the size between two compressors is not known.
    AtMost(usize),
}

impl Size {
    /// The most bytes that a compressor may produce from this many bytes: twice as many and a mebibyte.
    ///
    /// No sane encoder expands data by more than a thousandth. The rest leaves room for members and frames of a few
    /// bytes each, and for skippable frames.
    pub(super) fn compressed(self) -> Self {
        let (Self::Exactly(bytes) | Self::AtMost(bytes)) = self;
        Self::AtMost(bytes.saturating_mul(2).saturating_add(1 << 20))
    }

    /// Buffer to decode into: of full capacity where the size is known, else empty, to grow up to the limit.
    #[cfg(any(feature = "bz2", feature = "lzma", feature = "rare", feature = "zstd"))]
    pub(super) fn room(self, slack: usize) -> Result<Vec<u8>> {
        match self {
            Self::Exactly(bytes) => reserved(bytes.saturating_add(slack)),
            Self::AtMost(_) => Ok(Vec::new()),
        }
    }

    /// This size plus a fixed number of bytes.
    pub(super) fn plus(self, more: usize) -> Self {
        match self {
            Self::Exactly(bytes) => Self::Exactly(bytes.saturating_add(more)),
            Self::AtMost(bytes) => Self::AtMost(bytes.saturating_add(more)),
        }
    }

    /// The most bytes that the size allows.
    pub(super) fn limit(self) -> usize {
        let (Self::Exactly(bytes) | Self::AtMost(bytes)) = self;
        bytes
    }

    /// Checks a number of bytes against the size.
    pub(super) fn check(self, codec: &'static str, got: usize) -> Result<()> {
        match self {
            Self::Exactly(bytes) if got != bytes => Err(Error::codec(codec, got, bytes)),
            Self::AtMost(bytes) if got > bytes => Err(self.oversized(codec)),
            _ => Ok(()),
        }
    }

    /// The error for more bytes than the size allows.
    pub(super) fn oversized(self, codec: &'static str) -> Error {
        let expected = match self {
            Self::Exactly(bytes) => bytes.into(),
            Self::AtMost(bytes) => Quantity::Words(format!("at most {bytes} bytes")),
        };
        Error::codec(codec, format!("more than {} bytes", self.limit()), expected)
    }
}
