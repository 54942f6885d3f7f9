//! The one place where a number of bytes becomes memory.
//!
//! Invariant: in this room, a size from the network is converted, and memory for it taken, by these
//! functions; where there is too little, the result is an error and not a trap.

use std::cell::Cell;

use rectilinear_zarr_kernels::room;

use crate::error::{Error, Quantity, Result};

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

/// A number of bytes as a size in memory.
///
/// # Errors
/// [`Error::Unsupported`] where this machine cannot address it (2 GiB in WebAssembly).
pub(super) fn to_memory(bytes: u64) -> Result<usize> {
    usize::try_from(bytes).ok().filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or_else(|| no_room(bytes))
}

/// Zeroed memory.
///
/// # Errors
/// [`Error::Unsupported`] where there is too little.
pub(super) fn buffer(bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = reserved(bytes)?;
    room::resize(&mut buffer, bytes);
    Ok(buffer)
}

/// The most memory that is kept for the next chunk: 4 MiB, of which making it zeros takes a quarter of a millisecond.
const MAX_SPARE_BYTES: usize = 4 << 20;

thread_local! {
    /// What the last chunk was decoded to that nobody needs any more.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Memory of which each byte is to be written: what it holds, others may have left there.
///
/// # Errors
/// [`Error::Unsupported`] where there is too little.
pub(super) fn unwritten(bytes: usize) -> Result<Vec<u8>> {
    let mut spare = SPARE.take();
    if spare.capacity() < bytes {
        return buffer(bytes);
    }
    room::resize(&mut spare, bytes);
    Ok(spare)
}

/// Has memory used again for the next chunk.
pub(super) fn give_back(memory: Vec<u8>) {
    if memory.capacity() <= MAX_SPARE_BYTES {
        SPARE.set(memory);
    }
}

/// Empty memory with room for so many bytes.
pub(super) fn reserved(bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = Vec::new();
    make_room(&mut buffer, bytes)?;
    Ok(buffer)
}

/// Room for so many bytes more, and no more than that.
pub(super) fn make_room(buffer: &mut Vec<u8>, bytes: usize) -> Result<()> {
    buffer.try_reserve_exact(bytes).map_err(|_| no_room(bytes as u64))
}

/// That there is too little memory.
pub(super) fn no_room(bytes: u64) -> Error {
    Error::Unsupported {
        feature: format!("a piece of {bytes} bytes"),
        reason: "there is not enough memory for it; select less at once".to_owned(),
    }
}
