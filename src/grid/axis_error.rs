//! Errors in a list of chunk edges.

use std::fmt;

use super::MAX_COORDINATE;

/// Error in a list of chunk edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisError {
    /// The list of edges is empty.
    Empty,
    /// The edge at this position of the list is zero.
    ZeroEdge(usize),
    /// The count at this position of the list is zero.
    ZeroCount(usize),
    /// The sum of the edges exceeds [`MAX_COORDINATE`] at this position of the list.
    TooLong(usize),
    /// The encoded edge at this position of its list is shorter than the edge of its chunk.
    ShortEncoded(usize),
    /// The number of encoded edges differs from the number of chunks.
    EncodedCount {
        /// Number of chunks along the axis, including those past the extent.
        chunks: u64,
    },
    /// The first chunk begins before the array, so it cannot be divided.
    BeginsBefore,
    /// The pieces of divided chunks would take more runs than this.
    ManyRuns(usize),
    /// The edges end before the extent does.
    Short {
        /// Sum of all edges.
        sum: u64,
        /// The array's length along the axis.
        extent: u64,
    },
}

impl AxisError {
    /// The position of the faulty entry in the list of edges; `None` if no single entry is at fault.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match self {
            Self::ZeroEdge(position)
            | Self::ZeroCount(position)
            | Self::TooLong(position)
            | Self::ShortEncoded(position) => Some(*position),
            Self::Empty
            | Self::BeginsBefore
            | Self::EncodedCount { .. }
            | Self::ManyRuns(_)
            | Self::Short { .. } => None,
        }
    }
}

impl fmt::Display for AxisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                f.write_str("the list of chunk edges is empty; even an axis of length 0 needs one")
            }
            Self::ZeroEdge(_) => f.write_str("a chunk edge is 0; edges are at least 1"),
            Self::ZeroCount(_) => f.write_str("a run's count is 0; counts are at least 1"),
            Self::TooLong(_) => {
                write!(f, "the sum of the chunk edges up to here exceeds {MAX_COORDINATE} (2^53 - 1)")
            }
            Self::ShortEncoded(_) => f.write_str("an encoded edge is shorter than the edge of its chunk"),
            Self::EncodedCount { chunks } => {
                write!(f, "there are {chunks} chunks; expected one encoded edge for each")
            }
            Self::BeginsBefore => {
                f.write_str("the first chunk begins before the array, so it cannot be divided into pieces")
            }
            Self::ManyRuns(most) => {
                write!(
                    f,
                    "the chunk edges are not multiples of it, and their pieces make more than {most} runs"
                )
            }
            Self::Short { sum, extent } => {
                write!(f, "the chunk edges sum to {sum}, short of the array's extent {extent}")
            }
        }
    }
}

impl std::error::Error for AxisError {}
