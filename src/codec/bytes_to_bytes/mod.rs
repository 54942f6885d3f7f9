//! The bytes-to-bytes codecs: compressors, checksums and shuffle.
//!
//! A codec of numcodecs has zarr-python's name for it in v3: `numcodecs.` and its v2 id.

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
#[cfg(feature = "rare")]
mod imagecodecs;
#[cfg(any(feature = "blosc", feature = "gzip"))]
pub(super) mod inflate;
#[cfg(feature = "jpeg2000")]
pub(in crate::codec) mod jpeg2000;
#[cfg(feature = "lz4")]
mod lz4;
#[cfg(feature = "lzma")]
pub(in crate::codec) mod lzma;
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
#[cfg(feature = "rare")]
use self::imagecodecs::ImageCodec;
#[cfg(feature = "lzma")]
use self::lzma::Lzma;
use self::shuffle::Shuffle;
use super::size::Size;
use crate::error::Result;
use crate::metadata::Extension;
#[cfg(any(feature = "blosc", feature = "gzip", feature = "lz4"))]
use crate::parts::{Codecs, Loaded};

/// The registered names, then those of cfdb, numcodecs and imagecodecs.
pub(super) fn names() -> Vec<&'static str> {
    #[cfg(feature = "rare")]
    return [NAMES, imagecodecs::NAMES].concat();
    #[cfg(not(feature = "rare"))]
    NAMES.to_vec()
}

const NAMES: &[&str] = &[
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
    #[cfg(feature = "lzma")]
    lzma::IMAGECODECS_NAME,
    shuffle::NAME,
    #[cfg(feature = "gzip")]
    zlib::NAME,
    #[cfg(feature = "zstd")]
    zstd::NUMCODECS_NAME,
    #[cfg(feature = "jpeg2000")]
    jpeg2000::NAME,
];

/// A bytes-to-bytes codec.
#[derive(Debug, Clone)]
pub(super) enum BytesToBytes {
    #[cfg(feature = "rare")]
    Base64,
    Checksum(Checksum),
    Shuffle(Shuffle),
    /// With its decoding rate in bytes per microsecond.
    #[cfg(feature = "blosc")]
    Blosc(u64, Loaded<Codecs>),
    #[cfg(feature = "bz2")]
    Bz2,
    #[cfg(feature = "gzip")]
    Gzip(Loaded<Codecs>),
    #[cfg(feature = "rare")]
    Image(ImageCodec),
    #[cfg(feature = "jpeg2000")]
    Jpeg2000(jpeg2000::Jpeg2000),
    #[cfg(feature = "lz4")]
    Lz4(Loaded<Codecs>),
    #[cfg(feature = "rare")]
    Lz4Frame,
    #[cfg(feature = "lzma")]
    Lzma(Lzma),
    #[cfg(feature = "gzip")]
    Zlib(Loaded<Codecs>),
    #[cfg(feature = "zstd")]
    Zstd,
}

impl BytesToBytes {
    /// Parses a metadata entry; `None` where its name is not one of [`names`].
    pub(super) fn parse(extension: &Extension) -> Result<Option<Self>> {
        if let Some(checksum) = Checksum::parse(extension)? {
            return Ok(Some(Self::Checksum(checksum)));
        }
        #[cfg(feature = "rare")]
        if let Some(codec) = ImageCodec::parse(extension)? {
            return Ok(Some(Self::Image(codec)));
        }
        let settings = extension.settings();
        // Only the names of a compressor's settings are checked: the decoder reads its parameters from the data.
        Ok(Some(match extension.name.as_str() {
            #[cfg(feature = "rare")]
            base64::NAME => settings.only_fields(&[]).map(|()| Self::Base64)?,
            shuffle::NAME => Self::Shuffle(Shuffle::parse(settings)?),
            #[cfg(feature = "blosc")]
            blosc::NAME | blosc::NUMCODECS_NAME => {
                settings.only_fields(blosc::FIELDS)?;
                let compressor = settings.field("cname");
                Self::Blosc(
                    of_blosc(compressor.as_ref().and_then(|name| name.value().as_str())),
                    Loaded::get()?,
                )
            }
            #[cfg(feature = "bz2")]
            bz2::NAME => settings.only_fields(&["level"]).map(|()| Self::Bz2)?,
            #[cfg(feature = "gzip")]
            gzip::NAME | gzip::NUMCODECS_NAME => {
                settings.only_fields(&["level"])?;
                Self::Gzip(Loaded::get()?)
            }
            #[cfg(feature = "jpeg2000")]
            jpeg2000::NAME => Self::Jpeg2000(jpeg2000::Jpeg2000::parse(extension)?),
            #[cfg(feature = "lz4")]
            lz4::NAME => {
                settings.only_fields(&["acceleration"])?;
                Self::Lz4(Loaded::get()?)
            }
            #[cfg(feature = "rare")]
            cfdb_lz4_frame::NAME => settings.only_fields(&[]).map(|()| Self::Lz4Frame)?,
            #[cfg(feature = "lzma")]
            lzma::NAME | lzma::IMAGECODECS_NAME => return Ok(Lzma::parse(extension)?.map(Self::Lzma)),
            #[cfg(feature = "gzip")]
            zlib::NAME => {
                settings.only_fields(&["level"])?;
                Self::Zlib(Loaded::get()?)
            }
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
            Self::Blosc(..) => blosc::NAME,
            #[cfg(feature = "bz2")]
            Self::Bz2 => bz2::NAME,
            #[cfg(feature = "gzip")]
            Self::Gzip(_) => gzip::NAME,
            #[cfg(feature = "rare")]
            Self::Image(codec) => codec.name(),
            #[cfg(feature = "jpeg2000")]
            Self::Jpeg2000(_) => jpeg2000::NAME,
            #[cfg(feature = "lz4")]
            Self::Lz4(_) => lz4::NAME,
            #[cfg(feature = "rare")]
            Self::Lz4Frame => cfdb_lz4_frame::NAME,
            #[cfg(feature = "lzma")]
            Self::Lzma(lzma) => lzma.name(),
            #[cfg(feature = "gzip")]
            Self::Zlib(_) => zlib::NAME,
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::NAME,
        }
    }

    /// Size of this codec's output for an input of this size.
    pub(super) fn encoded_size(&self, decoded: Size) -> Size {
        match self {
            #[cfg(feature = "rare")]
            Self::Base64 => base64::encoded_size(decoded),
            Self::Checksum(_) => decoded.plus(checksum::LENGTH),
            Self::Shuffle(_) => decoded,
            #[cfg(any(
                feature = "bz2",
                feature = "gzip",
                feature = "jpeg2000",
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
            Self::Blosc(_, part) => blosc::decode(*part, &encoded, size).map(Cow::Owned),
            #[cfg(feature = "bz2")]
            Self::Bz2 => bz2::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "gzip")]
            Self::Gzip(part) => gzip::decode(*part, &encoded, size).map(Cow::Owned),
            #[cfg(feature = "rare")]
            Self::Image(codec) => codec.decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "jpeg2000")]
            Self::Jpeg2000(codec) => codec.decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "lz4")]
            Self::Lz4(part) => lz4::decode(*part, &encoded, size).map(Cow::Owned),
            #[cfg(feature = "rare")]
            Self::Lz4Frame => cfdb_lz4_frame::decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "lzma")]
            Self::Lzma(lzma) => lzma.decode(&encoded, size).map(Cow::Owned),
            #[cfg(feature = "gzip")]
            Self::Zlib(part) => zlib::decode(*part, &encoded, size).map(Cow::Owned),
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::decode(&encoded, size).map(Cow::Owned),
        }
    }
}

/// Decoding rate of Blosc in bytes per microsecond, by the compressor that the metadata name.
///
/// It is an estimate: a frame is decoded by the compressor in its own header, which may be another one.
#[cfg(feature = "blosc")]
fn of_blosc(compressor: Option<&str>) -> u64 {
    match compressor {
        Some("lz4" | "lz4hc" | "blosclz" | "snappy") => 3000,
        Some("zlib") => 250,
        _ => 1000,
    }
}
