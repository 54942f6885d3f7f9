//! `numcodecs.lzma`: the xz format, its predecessor `.lzma`, or raw LZMA described by a list of filters.
//! `imagecodecs_lzma`: the xz format.
//!
//! The xz format is one or more streams; the checksum of every block is verified. The other two have no checksum.
//! `check` and `preset` are for the compressor; the decoder reads its parameters, and the filters of an xz stream, from
//! the data. The decoder's window grows with its output, regardless of the size that the data declare.
//! Specs: <https://numcodecs.readthedocs.io/en/stable/compression/lzma.html> and
//! <https://tukaani.org/xz/xz-file-format.txt>
//!
//! ```json
//! { "name": "numcodecs.lzma", "configuration": { "format": 1, "check": -1, "preset": null, "filters": null } }
//! ```

mod filters;

use std::borrow::Cow;

use lzma_rust2::{LzmaReader, XzReader};

use super::stream::read_whole;
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Json};

use self::filters::Filters;
use self::filters::NAME;

/// The six bytes that an xz stream begins with.
const XZ_MAGIC: &[u8] = b"\xfd7zXZ\0";

/// The codec's name and configuration.
#[derive(Debug, Clone)]
pub(crate) struct Lzma {
    name: &'static str,
    format: LzmaFormat,
}

/// The formats of Python's module `lzma`, with their numbers.
#[derive(Debug, Clone)]
enum LzmaFormat {
    /// 0: xz or `.lzma`, detected from the data.
    Auto,
    /// 1
    Xz,
    /// 2
    Alone,
    /// 3
    Raw(Filters),
}

impl BytesToBytesCodec for Lzma {
    fn parse(extension: &Extension) -> Result<Self> {
        let (name, settings) = (Self::named(extension), extension.settings());
        if name == NAME {
            return Ok(Self { name, format: LzmaFormat::parse(settings)? });
        }
        // The codec of imagecodecs.
        settings.only_fields(&["level", "check"])?;
        Ok(Self { name, format: LzmaFormat::Xz })
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        self.format.decode(&encoded, size).map(Cow::Owned).map_err(|error| error.of_codec(self.name))
    }
}

impl LzmaFormat {
    fn parse(settings: Json<'_>) -> Result<Self> {
        settings.only_fields(&["format", "check", "preset", "filters"])?;
        let Some(format) = settings.field("format") else { return Ok(Self::Xz) };
        Ok(match format.value().as_u64() {
            Some(0) => Self::Auto,
            Some(1) => Self::Xz,
            Some(2) => Self::Alone,
            Some(3) => Self::Raw(Filters::parse(settings.required("filters")?)?),
            _ => return Err(format.expected("an integer from 0 to 3")),
        })
    }

    fn decode(&self, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
        match self {
            Self::Auto if encoded.starts_with(XZ_MAGIC) => xz(encoded, size),
            Self::Xz => xz(encoded, size),
            Self::Auto | Self::Alone => alone(encoded, size),
            Self::Raw(filters) => filters.decode(encoded, size),
        }
    }
}

fn xz(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    read_whole(NAME, XzReader::new(encoded, true), size)
}

fn alone(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut reader = LzmaReader::new_mem_limit(encoded, u32::MAX, None)
        .map_err(|error| Error::codec(NAME, format!("a damaged header: {error}"), "a .lzma header"))?;
    // The size in the header; all bits are 1 where it is not known.
    if let Some(&length) = encoded.get(5..).and_then(<[u8]>::first_chunk)
        && (size.limit() as u64 + 1..u64::MAX).contains(&u64::from_le_bytes(length))
    {
        return Err(size.oversized(NAME));
    }
    // Without a checksum, only the coder's final state shows that the data are complete.
    reader.set_relaxed_end_condition(false);
    read_whole(NAME, reader, size)
}
