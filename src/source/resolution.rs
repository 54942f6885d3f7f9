//! Results of looking up a key in a system: its place, or what the system has to be told first.
//!
//! Invariant: systems ask for nothing themselves. Whoever looks fetches what one needs, tells it, and looks again; each
//! round tells it something that it did not know, so rounds end.

use super::{ByteLocation, ByteRange};
use crate::error::{Error, Gather, Packer, Result, Unpacker};

/// The most bytes that a system is told at once: 256 MiB, some two million of kerchunk's references.
///
/// The reason: they are held while they are read, and after that what they say.
pub const MAX_TOLD_BYTES: usize = 256 << 20;

/// Result of looking up a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// Where its bytes are.
    Place(ByteLocation),
    /// Inputs that the system has to be told before it can say.
    Needs(Vec<InputRequest>),
}

/// Bytes that a system has to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputRequest {
    /// Which of the system's things they are: below 2^53, and the same number for the same thing.
    pub number: u64,
    /// The address of their file, as the system writes it; empty for the system's own.
    pub url: String,
    /// Which of its bytes.
    pub range: ByteRange,
}

/// That something is asked of a system which has no such thing.
#[must_use]
pub fn no_answer(question: &str) -> Error {
    Error::Unsupported {
        feature: format!("asking for {question}"),
        reason: "repositories of Icechunk have them, and nothing else that is read".to_owned(),
    }
}

impl Resolution {
    /// Packs a result of looking up a key, to travel to another instance.
    #[must_use]
    pub fn packed(found: &Result<Self>) -> Vec<u8> {
        let mut parts = Packer::default();
        match found {
            Ok(found) => found.pack(parts.number(0)),
            Err(error) => error.pack(&mut parts),
        }
        parts.finish()
    }

    /// Unpacks a result of looking up a key, from another instance; nothing where the bytes are none of that.
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
            Self::Needs(needs) => {
                parts.number(3).number(needs.len() as u64);
                for need in needs {
                    need.range.pack(parts.number(need.number).bytes(need.url.as_bytes()));
                }
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
            _ => {
                let need = |parts: &mut Unpacker<'_>| {
                    let (number, url) = (parts.number()?, parts.text()?);
                    Some(InputRequest { number, url, range: ByteRange::unpack(parts)? })
                };
                let count = parts.number()?;
                Self::Needs((0..count).map(|_| need(parts)).gathered()?)
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
