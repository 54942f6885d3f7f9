//! Serialization of numbers, text, bytes and errors, for messages between instances of the module.
//!
//! Invariant: values are unpacked in the order in which they were packed, and are equal to them. Truncated input gives
//! `None`, and never allocates more memory than the input has bytes.

use super::{CodecError, Error, Gather, Quantity};

/// Writer of packed values.
#[derive(Debug, Default)]
pub(crate) struct Packer(Vec<u8>);

/// Reader of packed values.
#[derive(Debug)]
pub(crate) struct Unpacker<'a>(&'a [u8]);

impl Packer {
    /// Packs a number.
    pub(crate) fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    /// Packs the number of numbers, then the numbers.
    pub(crate) fn numbers(&mut self, numbers: impl ExactSizeIterator<Item = u64>) -> &mut Self {
        self.number(numbers.len() as u64);
        numbers.for_each(|number| {
            self.number(number);
        });
        self
    }

    /// Packs numbers without their count, which the reader must know.
    pub(crate) fn each(&mut self, numbers: impl Iterator<Item = u64>) -> &mut Self {
        numbers.for_each(|number| {
            self.number(number);
        });
        self
    }

    /// Packs the number of bytes, then the bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        self.raw(bytes)
    }

    /// Packs bytes without their number, which the reader must know.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend(bytes);
        self
    }

    /// The packed bytes, with their number before them: the head of a message.
    pub(crate) fn headed(self) -> Vec<u8> {
        let mut all = Self::default();
        all.bytes(&self.finish());
        all.finish()
    }

    /// The packed bytes.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

impl<'a> Unpacker<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// Unpacks a number as a length in memory.
    pub(crate) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// Unpacks the numbers of [`Packer::numbers`].
    pub(crate) fn numbers(&mut self) -> Option<Vec<u64>> {
        let count = self.length()?;
        let numbers = self.raw(count.checked_mul(8)?)?.as_chunks().0;
        Some(numbers.iter().map(|number| u64::from_le_bytes(*number)).collect())
    }

    /// Unpacks the bytes of [`Packer::bytes`].
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.length()?;
        self.raw(count)
    }

    /// Takes the next `count` bytes.
    pub(crate) fn raw(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }
}

impl Error {
    /// Packs the error: a number above zero for its kind, then its fields.
    pub(crate) fn pack(&self, parts: &mut Packer) {
        match self {
            Self::Codec(error) => {
                parts.number(1).bytes(error.codec.as_bytes()).bytes(error.hint.as_bytes());
                error.got.pack(parts);
                error.expected.pack(parts);
                parts.bytes(error.key.as_bytes()).numbers(error.coords.iter().copied());
            }
            Self::InvalidMetadata { document, path, reason } => {
                parts.number(2).bytes(document.as_bytes()).bytes(path.as_bytes()).bytes(reason.as_bytes());
            }
            Self::Unsupported { feature, reason } => {
                parts.number(3).bytes(feature.as_bytes()).bytes(reason.as_bytes());
            }
            Self::NotFound { wanted, path, tried, hint } => {
                parts.number(4).bytes(wanted.as_bytes()).bytes(path.as_bytes()).bytes(hint.as_bytes());
                parts.number(tried.len() as u64);
                tried.iter().for_each(|key| {
                    parts.bytes(key.as_bytes());
                });
            }
            Self::Store { key, status, range, reason } => {
                parts.number(5).bytes(key.as_bytes()).bytes(reason.as_bytes());
                // No status is 0, and no range ends at 0.
                let (start, stop) = range.unwrap_or_default();
                parts.number(status.unwrap_or_default().into()).number(start).number(stop);
            }
            Self::PartMissing(_) => {
                parts.number(3).bytes(b"a worker without all parts of the module").bytes(b"");
            }
            // Selections are checked where they are made, so the axis is not needed.
            Self::Selection { reason, .. } | Self::Range { reason } => {
                parts.number(6).bytes(b"").bytes(reason.as_bytes());
            }
        }
    }

    /// Unpacks an error of this kind, whose number is already read.
    pub(crate) fn unpack(kind: u64, parts: &mut Unpacker<'_>) -> Option<Self> {
        let (first, second) = (parts.text()?, parts.text()?);
        Some(match kind {
            1 => Self::Codec(Box::new(CodecError {
                codec: first.into(),
                hint: second.into(),
                got: Quantity::unpack(parts)?,
                expected: Quantity::unpack(parts)?,
                key: parts.text()?,
                coords: parts.numbers()?,
            })),
            2 => Self::InvalidMetadata { document: first, path: second, reason: parts.text()? },
            3 => Self::Unsupported { feature: first, reason: second },
            4 => {
                let (hint, count) = (parts.text()?, parts.length()?);
                let tried = (0..count).map(|_| parts.text()).gathered()?;
                Self::NotFound { wanted: first.into(), path: second, tried, hint }
            }
            5 => {
                let (status, start, stop) = (parts.number()?, parts.number()?, parts.number()?);
                let status = status.try_into().ok().filter(|&status| status > 0);
                let range = Some((start, stop)).filter(|_| stop > 0);
                Self::Store { key: first, status, range, reason: second }
            }
            _ => Self::Range { reason: second },
        })
    }
}

impl Quantity {
    fn pack(&self, parts: &mut Packer) {
        match self {
            Self::Bytes(bytes) => parts.number(0).number(*bytes),
            Self::Checksum(sum) => parts.number(1).number((*sum).into()),
            Self::Words(words) => parts.number(2).bytes(words.as_bytes()),
        };
    }

    fn unpack(parts: &mut Unpacker<'_>) -> Option<Self> {
        Some(match parts.number()? {
            0 => Self::Bytes(parts.number()?),
            1 => Self::Checksum(u32::try_from(parts.number()?).ok()?),
            _ => Self::Words(parts.text()?),
        })
    }
}
