//! The codecs from bytes to bytes: compressors, checksums and the shuffle of bytes.
//!
//! A codec of numcodecs has the name that zarr-python gives it in v3, `numcodecs.` before its v2 id.

#[cfg(feature = "rare")]
mod base64;
#[cfg(feature = "blosc")]
pub(crate) mod blosc;
#[cfg(feature = "bz2")]
mod bz2;
#[cfg(feature = "rare")]
mod cfdb_lz4_frame;
mod checksum;
#[cfg(feature = "gzip")]
mod gzip;
#[cfg(any(feature = "blosc", feature = "gzip"))]
mod inflate;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lzma")]
mod lzma;
mod shuffle;
#[cfg(any(feature = "bz2", feature = "lzma", feature = "rare"))]
mod stream;
#[cfg(feature = "gzip")]
mod zlib;
#[cfg(feature = "zstd")]
pub(crate) mod zstd;

use std::borrow::Cow;

use self::checksum::Checksum;
use self::checksum::{adler32, crc32, crc32c, fletcher32, jenkins_lookup3};
#[cfg(feature = "lzma")]
use self::lzma::Lzma;
use self::shuffle::Shuffle;
use super::size::Size;
use crate::error::Result;
use crate::metadata::Extension;

/// The names: registered ones, and those of numcodecs.
pub(super) const NAMES: &[&str] = &[
    #[cfg(feature = "blosc")]
    blosc::NAME,
    crc32c::NAME,
    #[cfg(feature = "gzip")]
    gzip::NAME,
    #[cfg(feature = "zstd")]
    zstd::NAME,
    #[cfg(feature = "rare")]
    cfdb_lz4_frame::NAME,
    adler32::NAME,
    #[cfg(feature = "rare")]
    base64::NAME,
    #[cfg(feature = "blosc")]
    blosc::NUMCODECS_NAME,
    #[cfg(feature = "bz2")]
    bz2::NAME,
    crc32::NAME,
    crc32c::NUMCODECS_NAME,
    fletcher32::NAME,
    #[cfg(feature = "gzip")]
    gzip::NUMCODECS_NAME,
    jenkins_lookup3::NAME,
    #[cfg(feature = "lz4")]
    lz4::NAME,
    #[cfg(feature = "lzma")]
    lzma::NAME,
    shuffle::NAME,
    #[cfg(feature = "gzip")]
    zlib::NAME,
    #[cfg(feature = "zstd")]
    zstd::NUMCODECS_NAME,
];

/// A codec from bytes to bytes.
#[derive(Debug, Clone)]
pub(super) enum BytesToBytes {
    #[cfg(feature = "rare")]
    Base64,
    Checksum(Checksum),
    Shuffle(Shuffle),
    /// With its rate, as [`BytesToBytes::decoded_rate`] has it.
    #[cfg(feature = "blosc")]
    Blosc(u64),
    #[cfg(feature = "bz2")]
    Bz2,
    #[cfg(feature = "gzip")]
    Gzip,
    #[cfg(feature = "lz4")]
    Lz4,
    #[cfg(feature = "rare")]
    Lz4Frame,
    #[cfg(feature = "lzma")]
    Lzma(Lzma),
    #[cfg(feature = "gzip")]
    Zlib,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl BytesToBytes {
    /// The codec of a metadata entry, or nothing where the name is not one of [`NAMES`].
    pub(super) fn parse(extension: &Extension) -> Result<Option<Self>> {
        if let Some(checksum) = Checksum::parse(extension)? {
            return Ok(Some(Self::Checksum(checksum)));
        }
        let settings = extension.settings();
        // What a compressor was told, its decompressor reads from the data.
        Ok(Some(match extension.name.as_str() {
            #[cfg(feature = "rare")]
            base64::NAME => settings.only_fields(&[]).map(|()| Self::Base64)?,
            shuffle::NAME => Self::Shuffle(Shuffle::parse(settings)?),
            #[cfg(feature = "blosc")]
            blosc::NAME | blosc::NUMCODECS_NAME => {
                settings.only_fields(blosc::FIELDS)?;
                let compressor = settings.field("cname");
                Self::Blosc(of_blosc(compressor.as_ref().and_then(|name| name.value().as_str())))
            }
            #[cfg(feature = "bz2")]
            bz2::NAME => settings.only_fields(&["level"]).map(|()| Self::Bz2)?,
            #[cfg(feature = "gzip")]
            gzip::NAME | gzip::NUMCODECS_NAME => settings.only_fields(&["level"]).map(|()| Self::Gzip)?,
            #[cfg(feature = "lz4")]
            lz4::NAME => settings.only_fields(&["acceleration"]).map(|()| Self::Lz4)?,
            #[cfg(feature = "rare")]
            cfdb_lz4_frame::NAME => settings.only_fields(&[]).map(|()| Self::Lz4Frame)?,
            #[cfg(feature = "lzma")]
            lzma::NAME => Self::Lzma(Lzma::parse(settings)?),
            #[cfg(feature = "gzip")]
            zlib::NAME => settings.only_fields(&["level"]).map(|()| Self::Zlib)?,
            #[cfg(feature = "zstd")]
            zstd::NAME | zstd::NUMCODECS_NAME => {
                settings.only_fields(&["level", "checksum"]).map(|()| Self::Zstd)?
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            #[cfg(feature = "rare")]
            Self::Base64 => base64::NAME,
            Self::Checksum(checksum) => checksum.name(),
            Self::Shuffle(_) => shuffle::NAME,
            #[cfg(feature = "blosc")]
            Self::Blosc(_) => blosc::NAME,
            #[cfg(feature = "bz2")]
            Self::Bz2 => bz2::NAME,
            #[cfg(feature = "gzip")]
            Self::Gzip => gzip::NAME,
            #[cfg(feature = "lz4")]
            Self::Lz4 => lz4::NAME,
            #[cfg(feature = "rare")]
            Self::Lz4Frame => cfdb_lz4_frame::NAME,
            #[cfg(feature = "lzma")]
            Self::Lzma(_) => lzma::NAME,
            #[cfg(feature = "gzip")]
            Self::Zlib => zlib::NAME,
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::NAME,
        }
    }

    /// Size that this codec may encode bytes of this size to.
    pub(super) fn encoded_size(&self, decoded: Size) -> Size {
        match self {
            #[cfg(feature = "rare")]
            Self::Base64 => base64::encoded_size(decoded),
            Self::Checksum(_) => decoded.plus(checksum::LENGTH),
            Self::Shuffle(_) => decoded,
            #[cfg(any(
                feature = "bz2",
                feature = "gzip",
                feature = "lz4",
                feature = "lzma",
                feature = "rare",
                feature = "zstd"
            ))]
            _ => decoded.compressed(),
        }
    }

    pub(super) fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        match self {
            #[cfg(feature = "rare")]
            Self::Base64 => base64::decode(&encoded, size).map(Cow::Owned),
            Self::Checksum(checksum) => checksum.decode(encoded, size),
            Self::Shuffle(shuffle) => shuffle.decode(encoded, size),
            #[cfg(feature = "blosc")]
            Self::Blosc(_) => blosc::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "bz2")]
            Self::Bz2 => bz2::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "gzip")]
            Self::Gzip => gzip::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "lz4")]
            Self::Lz4 => lz4::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "rare")]
            Self::Lz4Frame => cfdb_lz4_frame::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "lzma")]
            Self::Lzma(lzma) => lzma.decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "gzip")]
            Self::Zlib => zlib::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::decode(&encoded, size).map(Cow::Owned),
        }
    }
}

/// Decoded bytes a microsecond of blosc, as `rate.rs` counts them, by the compressor that the metadata name; frames may differ, and are decoded by their own headers.
#[cfg(feature = "blosc")]
fn of_blosc(compressor: Option<&str>) -> u64 {
    match compressor {
        Some("lz4" | "lz4hc" | "blosclz" | "snappy") => 3000,
        Some("zlib") => 250,
        _ => 1000,
    }
}
