//! Where the bytes of a key are, as a system beside plain Zarr says.

use std::ops::Range;

use super::request::{ByteRange, Request};

/// Where the bytes of a key are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByteLocation {
    /// Nowhere.
    Missing,
    /// In the system's own list.
    Inline(Vec<u8>),
    /// In a file.
    File {
        /// Its address, as the system writes it.
        url: String,
        /// Which of its bytes; all of them where nothing is said.
        span: Option<Range<u64>>,
    },
}

impl ByteLocation {
    /// Request to a file, at the address that it has in the end, for a part of the value that lies there;
    /// nothing where the value has no such part.
    #[must_use]
    pub fn part(address: String, span: Option<&Range<u64>>, part: &ByteRange) -> Option<Request> {
        let Some(span) = span else { return Some(Request { key: address, range: part.clone() }) };
        let part = part.of_length(span.end - span.start)?;
        let range = ByteRange::Span(span.start + part.start..span.start + part.end);
        Some(Request { key: address, range })
    }
}
