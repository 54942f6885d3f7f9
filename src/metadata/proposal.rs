//! Proposals to the specifications: read as they stand today, and only where the caller asks for them by name.
//!
//! They may change, or never be accepted; data that was written by one text may mean something else by the next.

use crate::error::Error;

/// A proposal that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposal {
    /// Rectilinear chunks that decode to more than they give to the array:
    /// <https://github.com/zarr-developers/zarr-extensions/pull/75>, as of 2026-09.
    EncodedChunkShapes,
}

/// A proposal that an array's metadata make use of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Which one.
    pub proposal: Proposal,
    /// JSON pointer of the place that does.
    pub pointer: String,
}

impl Proposal {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::EncodedChunkShapes];

    /// The proposal of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|proposal| proposal.name() == name)
    }

    /// Name that a caller asks for it by: the one that it gives to what it adds.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EncodedChunkShapes => "encoded_chunk_shapes",
        }
    }

    /// Where its text is.
    fn text(self) -> &'static str {
        match self {
            Self::EncodedChunkShapes => "zarr-extensions pull request 75",
        }
    }
}

impl Proposed {
    /// That nobody asked for it.
    #[must_use]
    pub fn refused(&self) -> Error {
        let name = self.proposal.name();
        Error::Unsupported {
            feature: format!("{name:?}, which is only proposed"),
            reason: format!(
                "met at {}; {} may still change; open with proposals: [{name:?}] to read it as it was in 2026-09",
                self.pointer,
                self.proposal.text()
            ),
        }
    }
}
