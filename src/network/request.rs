//! Requests for bytes: a store key and a byte range.

use std::ops::Range;

/// A request for bytes of one value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// Store key, without a leading slash.
    pub key: String,
    /// Byte range of the value.
    pub range: ByteRange,
}

/// Byte range of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ByteRange {
    /// The whole value.
    All,
    /// From start to end, end exclusive.
    Span(Range<u64>),
    /// From start to end, or to the end of a value that is shorter: a guess, which is never joined with other ranges.
    UpTo(Range<u64>),
    /// From this byte to the end of the value.
    From(u64),
    /// The last bytes of the value, this many.
    Suffix(u64),
}

impl Request {
    /// The request for the value so many places on, by the number that its key ends with.
    #[must_use]
    pub fn further(&self, places: u64) -> Self {
        let head = self.key.trim_end_matches(|letter: char| letter.is_ascii_digit());
        match self.key[head.len()..].parse::<u64>() {
            Ok(number) => Self { key: format!("{head}{}", number + places), range: self.range.clone() },
            Err(_) => self.clone(),
        }
    }
}

impl ByteRange {
    /// Position of the range in a whole value of `length` bytes; `None` where the value is too short.
    #[must_use]
    pub fn of_length(&self, length: u64) -> Option<Range<u64>> {
        match self {
            Self::All => Some(0..length),
            Self::Span(span) => Some(span.clone()).filter(|span| span.end <= length),
            Self::UpTo(span) => {
                Some(span.start..span.end.min(length)).filter(|range| range.start <= range.end)
            }
            Self::From(start) => Some(*start..length).filter(|range| range.start <= length),
            Self::Suffix(bytes) => length.checked_sub(*bytes).map(|start| start..length),
        }
    }
    /// Whether an answer of `length` bytes fits the range.
    #[must_use]
    pub fn fits(&self, length: u64) -> bool {
        match self {
            Self::All | Self::From(_) => true,
            Self::Span(span) => span.end - span.start == length,
            Self::UpTo(span) => span.end - span.start >= length,
            Self::Suffix(suffix) => *suffix == length,
        }
    }

    /// Error text for an answer of `length` bytes that does not fit its range.
    #[must_use]
    pub fn misfit(length: u64) -> String {
        format!(
            "{length} bytes came instead of those asked for; the value is shorter than its index says, or the host \
             does not support ranges"
        )
    }
}
