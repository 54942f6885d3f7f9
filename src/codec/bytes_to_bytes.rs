//! The codecs from bytes to bytes: compressors and checksums, one variant for each.

use std::borrow::Cow;

use super::crc32c;
#[cfg(feature = "gzip")]
use super::gzip;
use super::memory::Size;
#[cfg(feature = "zstd")]
use super::zstd;
use crate::error::Result;
use crate::metadata::Extension;

/// The registered names.
pub(super) const NAMES: &[&str] = &[
    crc32c::NAME,
    #[cfg(feature = "gzip")]
    gzip::NAME,
    #[cfg(feature = "zstd")]
    zstd::NAME,
];

/// A codec from bytes to bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BytesToBytes {
    Crc32c,
    #[cfg(feature = "gzip")]
    Gzip,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl BytesToBytes {
    /// The codec of a metadata entry, or nothing where the name is not one of [`NAMES`].
    pub(super) fn parse(extension: &Extension) -> Result<Option<Self>> {
        let settings = extension.settings();
        Ok(Some(match extension.name.as_str() {
            crc32c::NAME => {
                settings.only_fields(&[])?;
                Self::Crc32c
            }
            #[cfg(feature = "gzip")]
            gzip::NAME => {
                settings.only_fields(&["level"])?;
                Self::Gzip
            }
            #[cfg(feature = "zstd")]
            zstd::NAME => {
                settings.only_fields(&["level", "checksum"])?;
                Self::Zstd
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Crc32c => crc32c::NAME,
            #[cfg(feature = "gzip")]
            Self::Gzip => gzip::NAME,
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::NAME,
        }
    }

    /// What this codec may turn so many bytes into.
    pub(super) fn encoded_size(self, decoded: Size) -> Size {
        match self {
            Self::Crc32c => decoded.plus(crc32c::LENGTH),
            #[cfg(feature = "gzip")]
            Self::Gzip => decoded.compressed(),
            #[cfg(feature = "zstd")]
            Self::Zstd => decoded.compressed(),
        }
    }

    pub(super) fn decode(self, encoded: Cow<'_, [u8]>, size: Size) -> Result<Cow<'_, [u8]>> {
        match self {
            Self::Crc32c => crc32c::decode(encoded, size),
            #[cfg(feature = "gzip")]
            Self::Gzip => gzip::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::decode(&encoded, size).map(Cow::Owned),
        }
    }
}
