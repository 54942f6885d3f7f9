//! Reasons why a message cannot be unpacked, before they are errors that name the codec.

/// Why a message cannot be unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The damage, in words.
    Damaged(&'static str),
    /// A message of so many points.
    Points(u64),
    /// A part of GRIB that is not read.
    Lacking(String),
}

impl From<&'static str> for Failure {
    fn from(words: &'static str) -> Self {
        Self::Damaged(words)
    }
}
