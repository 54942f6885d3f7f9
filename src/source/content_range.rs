//! The `Content-Range` header of HTTP (RFC 9110, 14.4): which bytes of a value an answer with status 206 holds.

use super::ByteRange;

/// The bytes that an answer holds, as its host tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentRange {
    /// First byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
    /// Bytes of the whole value, where the host knows.
    pub total: Option<u64>,
}

/// How the bytes of an answer with status 206 relate to those that were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// They are those.
    Asked,
    /// They are the whole value.
    Whole,
    /// They are others.
    Other,
}

impl ContentRange {
    /// Parses `bytes 0-99/1000` and `bytes 0-99/*`; nothing where a header is neither, or contradicts itself.
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

    /// How the bytes relate to those that were asked for. A part of those, from the first one on, counts as them: its
    /// length says that bytes are lacking.
    #[must_use]
    pub fn served(self, asked: &ByteRange) -> Served {
        let Self { start, end, total } = self;
        let ends_value = total.is_none_or(|total| total == end);
        let is_asked = match asked {
            ByteRange::All => start == 0 && total == Some(end),
            ByteRange::Span(span) | ByteRange::UpTo(span) => start == span.start && end <= span.end,
            ByteRange::From(first) => start == *first && ends_value,
            // All of a value that is shorter.
            ByteRange::Suffix(bytes) => ends_value && (end - start == *bytes || start == 0 && end < *bytes),
        };
        match (is_asked, start, total) {
            (true, ..) => Served::Asked,
            (false, 0, Some(total)) if total == end => Served::Whole,
            _ => Served::Other,
        }
    }
}
