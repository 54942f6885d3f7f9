//! Results of looking up a key in a virtual store: its location, or the inputs that the store needs first.
//!
//! Invariant: a virtual store fetches nothing. Its caller fetches the inputs, provides them and looks the key up again.
//! Each round provides an input that was missing, so the rounds end.

use std::ops::Range;

use crate::error::{Error, Gather, Packer, Result, Unpacker};
use crate::network::{ByteRange, Request};

/// Largest input of a virtual store: 256 MiB, some two million kerchunk references.
///
/// The input is in memory while it is parsed, together with the parsed references.
pub const MAX_TOLD_BYTES: usize = 256 << 20;

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

/// Result of looking up a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// Location of the key's bytes.
    Place(ByteLocation),
    /// Inputs to provide before the key can be looked up.
    Needs(Vec<InputRequest>),
}

/// Request for an input of a virtual store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputRequest {
    /// Number of the input, below 2^53; the same input always has the same number.
    pub number: u64,
    /// Address of the file, as the virtual store writes it; empty for the store's own file.
    pub url: String,
    /// Byte range of the file.
    pub range: ByteRange,
    /// How the range is encoded; `None` where the input is the range as it is.
    pub encoding: Option<Encoding>,
}

/// Encoding of an input that is a chunk, which the caller decodes before it provides it: the codecs of chunks are where
/// arrays are read, and not in the modules of virtual stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    /// Document of an array of bytes with one chunk.
    pub document: String,
    /// Bytes of the chunk once it is decoded.
    pub bytes: u64,
}

impl InputRequest {
    /// Number of the first bytes of an original file.
    pub const HEAD: u64 = 0;

    /// The request for the first bytes of an original file, which tell its format: 64 KiB.
    #[must_use]
    pub fn head() -> Self {
        Self::plain(Self::HEAD, String::new(), ByteRange::UpTo(0..64 << 10))
    }

    /// The request for a range of a file as it is.
    #[must_use]
    pub fn plain(number: u64, url: String, range: ByteRange) -> Self {
        Self { number, url, range, encoding: None }
    }

    /// Bytes of the input, as far as they are known.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        let stored = match &self.range {
            ByteRange::Span(span) | ByteRange::UpTo(span) => span.end - span.start,
            ByteRange::Suffix(bytes) => *bytes,
            ByteRange::All | ByteRange::From(_) => return None,
        };
        Some(self.encoding.as_ref().map_or(stored, |encoding| encoding.bytes.max(stored)))
    }

    fn pack(&self, parts: &mut Packer) {
        self.range.pack(parts.number(self.number).bytes(self.url.as_bytes()));
        match &self.encoding {
            None => parts.number(0),
            Some(Encoding { document, bytes }) => parts.number(1).bytes(document.as_bytes()).number(*bytes),
        };
    }

    fn unpack(parts: &mut Unpacker<'_>) -> Option<Self> {
        let (number, url, range) = (parts.number()?, parts.text()?, ByteRange::unpack(parts)?);
        let encoding = match parts.number()? {
            0 => None,
            _ => Some(Encoding { document: parts.text()?, bytes: parts.number()? }),
        };
        Some(Self { number, url, range, encoding })
    }
}

/// Error for a list (`snapshots`, `refs`) that the format does not have, or for locations of keys of plain Zarr.
#[must_use]
pub fn no_answer(question: &str) -> Error {
    if question.starts_with("locate") {
        let reason = "each of its chunks is a value of its own, under the chunk's key".to_owned();
        return Error::Unsupported { feature: "references to chunks of plain Zarr".to_owned(), reason };
    }
    Error::Unsupported {
        feature: format!("listing {question}"),
        reason: "only repositories of Icechunk have them".to_owned(),
    }
}

impl Resolution {
    /// Packs a result for another WebAssembly instance.
    #[must_use]
    pub fn packed(found: &Result<Self>) -> Vec<u8> {
        let mut parts = Packer::default();
        match found {
            Ok(found) => found.pack(parts.number(0)),
            Err(error) => error.pack(&mut parts),
        }
        parts.finish()
    }

    /// Unpacks a result from another WebAssembly instance; `None` where the bytes are not one.
    #[must_use]
    pub fn unpacked(bytes: &[u8]) -> Option<Result<Self>> {
        let mut parts = Unpacker::new(bytes);
        match parts.number()? {
            0 => Self::unpack(&mut parts).map(Ok),
            kind => Error::unpack(kind, &mut parts).map(Err),
        }
    }

    fn pack(&self, parts: &mut Packer) {
        match self {
            Self::Place(ByteLocation::Missing) => {
                parts.number(0);
            }
            Self::Place(ByteLocation::Inline(bytes)) => {
                parts.number(1).bytes(bytes);
            }
            Self::Place(ByteLocation::File { url, span }) => {
                parts.number(2).bytes(url.as_bytes());
                let range = span.clone().map_or(ByteRange::All, ByteRange::Span);
                range.pack(parts);
            }
            Self::Place(ByteLocation::Object { url, web, span }) => {
                parts.number(4).bytes(url.as_bytes()).bytes(web.as_bytes());
                parts.number(span.start).number(span.end);
            }
            Self::Needs(needs) => {
                parts.number(3).number(needs.len() as u64);
                needs.iter().for_each(|need| need.pack(parts));
            }
        }
    }

    fn unpack(parts: &mut Unpacker<'_>) -> Option<Self> {
        Some(match parts.number()? {
            0 => Self::Place(ByteLocation::Missing),
            1 => Self::Place(ByteLocation::Inline(parts.bytes()?.to_vec())),
            2 => {
                let url = parts.text()?;
                let span = match ByteRange::unpack(parts)? {
                    ByteRange::Span(span) => Some(span),
                    _ => None,
                };
                Self::Place(ByteLocation::File { url, span })
            }
            4 => {
                let (url, web) = (parts.text()?, parts.text()?);
                Self::Place(ByteLocation::Object { url, web, span: parts.number()?..parts.number()? })
            }
            _ => {
                let count = parts.number()?;
                Self::Needs((0..count).map(|_| InputRequest::unpack(parts)).gathered()?)
            }
        })
    }
}

impl ByteRange {
    fn pack(&self, parts: &mut Packer) {
        match self {
            Self::All => parts.number(0),
            Self::Span(span) => parts.number(1).number(span.start).number(span.end),
            Self::From(start) => parts.number(2).number(*start),
            Self::Suffix(bytes) => parts.number(3).number(*bytes),
            Self::UpTo(span) => parts.number(4).number(span.start).number(span.end),
        };
    }

    fn unpack(parts: &mut Unpacker<'_>) -> Option<Self> {
        Some(match parts.number()? {
            0 => Self::All,
            1 => Self::Span(parts.number()?..parts.number()?),
            2 => Self::From(parts.number()?),
            3 => Self::Suffix(parts.number()?),
            _ => Self::UpTo(parts.number()?..parts.number()?),
        })
    }
}
