//! Locations of a key's bytes in a virtual store.

use std::ops::Range;

use crate::network::{ByteRange, Request};

/// Location of the bytes of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByteLocation {
    /// Nothing is stored.
    Missing,
    /// The virtual store's own index holds the bytes.
    Inline(Vec<u8>),
    /// The bytes are a range of a file.
    File {
        /// Address of the file, as the virtual store writes it.
        url: String,
        /// Byte range in the file; `None` for the whole file.
        span: Option<Range<u64>>,
    },
    /// The bytes are a range of an object in a bucket, on the host that its container names.
    Object {
        /// Address of the object, as the virtual store writes it.
        url: String,
        /// HTTPS address of the object on its host.
        web: String,
        /// Byte range in the object.
        span: Range<u64>,
    },
}

impl ByteLocation {
    /// Request for a part of the value that lies at `span` of the file at `address`, a resolved address;
    /// `None` where the value has no such part.
    #[must_use]
    pub fn part(address: String, span: Option<&Range<u64>>, part: &ByteRange) -> Option<Request> {
        let Some(span) = span else { return Some(Request { key: address, range: part.clone() }) };
        let part = part.of_length(span.end - span.start)?;
        let range = ByteRange::Span(span.start + part.start..span.start + part.end);
        Some(Request { key: address, range })
    }
}
