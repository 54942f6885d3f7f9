//! Errors in a list of chunk edges.

use std::fmt;

use super::MAX_COORDINATE;

/// Why a list of edges is not an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisError {
    /// There are no edges at all.
    Empty,
    /// The edge at this position of the list is zero.
    ZeroEdge(usize),
    /// The count at this position of the list is zero.
    ZeroCount(usize),
    /// The edges reach past [`MAX_COORDINATE`] at this position of the list.
    TooLong(usize),
    /// The encoded edge at this position of its list is shorter than a chunk that it is for.
    ShortEncoded(usize),
    /// There are more or fewer encoded edges than chunks.
    EncodedCount {
        /// Chunks along the axis, those past the extent included.
        chunks: u64,
    },
    /// The first chunk begins before the array does, and is to be cut into pieces.
    Led,
    /// More runs would have to be written out than this.
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
    /// The position in the list of edges, where one entry is at fault.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match self {
            Self::ZeroEdge(position)
            | Self::ZeroCount(position)
            | Self::TooLong(position)
            | Self::ShortEncoded(position) => Some(*position),
            Self::Empty | Self::Led | Self::EncodedCount { .. } | Self::ManyRuns(_) | Self::Short { .. } => {
                None
            }
        }
    }
}

impl fmt::Display for AxisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no chunk edges; even an axis of length 0 needs one"),
            Self::ZeroEdge(_) => f.write_str("a chunk edge is 0; edges are at least 1"),
            Self::ZeroCount(_) => f.write_str("a run's count is 0; counts are at least 1"),
            Self::TooLong(_) => {
                write!(f, "the chunk edges up to here reach past {MAX_COORDINATE} (2^53 - 1)")
            }
            Self::ShortEncoded(_) => {
                f.write_str("an encoded edge is shorter than its chunk's part of the array")
            }
            Self::EncodedCount { chunks } => {
                write!(f, "there are {chunks} chunks, and another number of encoded edges")
            }
            Self::Led => f.write_str("a chunk that begins before the array is not cut into pieces"),
            Self::ManyRuns(most) => {
                write!(f, "every chunk ends within one, and more than {most} such ends are not written out")
            }
            Self::Short { sum, extent } => {
                write!(f, "the chunk edges sum to {sum}, short of the array's extent {extent}")
            }
        }
    }
}

impl std::error::Error for AxisError {}
