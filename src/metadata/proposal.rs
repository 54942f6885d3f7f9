//! Proposed extensions of the specifications, read only if the caller asks for them by name.
//!
//! A proposal may change or never be accepted: data written by one version may have another meaning in the next.

use crate::error::Error;

/// A supported proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposal {
    /// Rectilinear chunks that decode to more than their part of the array:
    /// <https://github.com/zarr-developers/zarr-extensions/pull/75>, as of 2026-09.
    EncodedChunkShapes,
    /// Shards whose edges the inner chunks do not divide: the last inner chunk is smaller.
    /// <https://github.com/zarr-developers/zarr-specs/pull/370>, as of 2026-09.
    ShardingRemainder,
}

/// Use of a proposal in an array's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The proposal.
    pub proposal: Proposal,
    /// JSON pointer of the value that uses it.
    pub pointer: String,
}

impl Proposal {
    /// All supported proposals.
    pub const ALL: [Self; 2] = [Self::EncodedChunkShapes, Self::ShardingRemainder];

    /// The proposal with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|proposal| proposal.name() == name)
    }

    /// Name of the proposal in the option `proposals`: that of the field that it adds, or a name of this
    /// package.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EncodedChunkShapes => "encoded_chunk_shapes",
            Self::ShardingRemainder => "sharding_remainder",
        }
    }

    /// Reference to the proposal's text.
    fn text(self) -> &'static str {
        match self {
            Self::EncodedChunkShapes => "zarr-extensions pull request 75",
            Self::ShardingRemainder => "zarr-specs pull request 370",
        }
    }
}

impl Proposed {
    /// The error that the caller has not accepted the proposal.
    #[must_use]
    pub fn refused(&self) -> Error {
        let name = self.proposal.name();
        Error::Unsupported {
            feature: format!("the proposed extension {name:?}"),
            reason: format!(
                "found at {}; {} may still change; open with proposals: [{name:?}] to read it as of 2026-09",
                self.pointer,
                self.proposal.text()
            ),
        }
    }
}
