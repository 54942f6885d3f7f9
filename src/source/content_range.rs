//! The `Content-Range` header of HTTP (RFC 9110, 14.4): which bytes of a value a 206 response holds.

use super::ByteRange;

/// Byte range of a response, from its `Content-Range` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentRange {
    /// Index of the first byte.
    pub start: u64,
    /// Index of the byte after the last one.
    pub end: u64,
    /// Length of the whole value in bytes; `None` where the host sends `*`.
    pub total: Option<u64>,
}

/// Relation of the bytes of a 206 response to the requested range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// The requested range.
    Asked,
    /// The whole value.
    Whole,
    /// Another range.
    Other,
}

impl ContentRange {
    /// Parses `bytes 0-99/1000` and `bytes 0-99/*`; `None` where the header is neither, or contradicts itself.
    #[must_use]
    pub fn parse(header: &str) -> Option<Self> {
        let (unit, told) = header.trim().split_once(' ')?;
        let (span, total) = told.trim().split_once('/')?;
        let (start, last) = span.split_once('-')?;
        let total = if total == "*" { None } else { Some(total.parse().ok()?) };
        let (start, end) = (start.parse().ok()?, last.parse::<u64>().ok()?.checked_add(1)?);
        let is_range =
            unit.eq_ignore_ascii_case("bytes") && start < end && total.is_none_or(|total| end <= total);
        is_range.then_some(Self { start, end, total })
    }

    /// Compares this range with the requested one. A range that begins where it should and ends early counts as
    /// [`Served::Asked`]: the check of the body's length reports it.
    #[must_use]
    pub fn served(self, asked: &ByteRange) -> Served {
        let Self { start, end, total } = self;
        let ends_value = total.is_none_or(|total| total == end);
        let is_asked = match asked {
            ByteRange::All => start == 0 && total == Some(end),
            ByteRange::Span(span) | ByteRange::UpTo(span) => start == span.start && end <= span.end,
            ByteRange::From(first) => start == *first && ends_value,
            // A value shorter than the suffix is sent whole.
            ByteRange::Suffix(bytes) => ends_value && (end - start == *bytes || start == 0 && end < *bytes),
        };
        match (is_asked, start, total) {
            (true, ..) => Served::Asked,
            (false, 0, Some(total)) if total == end => Served::Whole,
            _ => Served::Other,
        }
    }
}
