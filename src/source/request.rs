//! Requests for bytes to fetch: which bytes of which value.

use std::ops::Range;

/// Where a chunk's bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkLocation {
    /// Nowhere: it is known not to be stored.
    Missing,
    /// Where someone must ask; the answer is the bytes, or that nothing is stored.
    Stored(Request),
}

/// Bytes that someone must fetch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// Store key, without a leading slash.
    pub key: String,
    /// Which of its bytes.
    pub range: ByteRange,
}

/// Which bytes of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ByteRange {
    /// All of them.
    All,
    /// From the start up to and without the end.
    Span(Range<u64>),
    /// From the start up to and without the end, or less where the value ends before: a guess, which comes alone.
    UpTo(Range<u64>),
    /// From there to the end.
    From(u64),
    /// This number of bytes at the end.
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
    /// The bytes of a whole value that was given although a part was asked for, if it has them.
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
    /// Whether so many bytes are those that were asked for.
    #[must_use]
    pub fn fits(&self, length: u64) -> bool {
        match self {
            Self::All | Self::From(_) => true,
            Self::Span(span) => span.end - span.start == length,
            Self::UpTo(span) => span.end - span.start >= length,
            Self::Suffix(suffix) => *suffix == length,
        }
    }

    /// The reason where so many bytes are not those that were asked for.
    #[must_use]
    pub fn misfit(length: u64) -> String {
        format!(
            "{length} bytes came instead of those asked for; the value is shorter than its index says, or the host \
             does not understand ranges"
        )
    }
}
