//! The compressors of imagecodecs, which virtual-tiff names for the tiles of TIFF files.
//!
//! Most are compressors that this package has, in the same or another framing: `deflate` is a zlib stream, or a bare
//! one with `raw`; `lz4` is a bare block, with four bytes of length before it only with `header`. `lzw` and `packbits`
//! are those of TIFF. `imagecodecs_lzma` is beside numcodecs' codec, with the same decoder.
//! Spec: <https://github.com/cgohlke/imagecodecs/blob/master/imagecodecs/zarr.py>
//!
//! ```json
//! { "name": "imagecodecs_deflate", "configuration": { "level": 6, "raw": false } }
//! ```

mod lzw;
mod packbits;

use std::borrow::Cow;

use super::{bz2, inflate, lz4, zstd};
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::Result;
use crate::metadata::{Extension, Json};
use crate::parts::Loaded;

/// The codec's configuration: its name, and the format of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageCodec {
    name: &'static str,
    format: Framing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Bz2,
    /// A deflate stream without the header and the checksum of zlib.
    Deflate,
    /// One LZ4 block of any length.
    Lz4Block,
    /// The length of the content, then one LZ4 block.
    Lz4Sized,
    Lzw,
    PackBits,
    Zlib,
    Zstd,
}

impl BytesToBytesCodec for ImageCodec {
    fn parse(extension: &Extension) -> Result<Self> {
        let name = Self::named(extension);
        let settings = extension.settings();
        // Only the names of a compressor's settings are checked: the decoder reads its parameters from the data.
        let (fields, format): (&[&str], _) = match name {
            "imagecodecs_bz2" => (&["level"], Framing::Bz2),
            "imagecodecs_deflate" if flag(&settings, "raw")? => (&["level", "raw"], Framing::Deflate),
            "imagecodecs_deflate" => (&["level", "raw"], Framing::Zlib),
            "imagecodecs_lz4" if flag(&settings, "header")? => {
                (&["level", "hc", "header"], Framing::Lz4Sized)
            }
            "imagecodecs_lz4" => (&["level", "hc", "header"], Framing::Lz4Block),
            "imagecodecs_lzw" => (&[], Framing::Lzw),
            "imagecodecs_packbits" => (&[], Framing::PackBits),
            "imagecodecs_zlib" => (&["level"], Framing::Zlib),
            _ => (&["level", "numthreads"], Framing::Zstd),
        };
        settings.only_fields(fields)?;
        Ok(Self { name, format })
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        let encoded = &*encoded;
        let decoded = match self.format {
            Framing::Bz2 => bz2::decode(encoded, size),
            Framing::Deflate => inflate::bare(self.name, encoded, size),
            Framing::Lz4Block => lz4::block(self.name, encoded, size),
            Framing::Lz4Sized => lz4::decode(Loaded::get()?, encoded, size),
            Framing::Lzw => lzw::decode(self.name, encoded, size),
            Framing::PackBits => packbits::decode(self.name, encoded, size),
            Framing::Zlib => inflate::zlib(self.name, encoded, size),
            Framing::Zstd => zstd::decode(encoded, size),
        };
        decoded.map(Cow::Owned).map_err(|error| error.of_codec(self.name))
    }
}

/// A field that is false where it is missing.
fn flag(settings: &Json<'_>, name: &str) -> Result<bool> {
    match settings.field(name) {
        None => Ok(false),
        Some(field) => field.value().as_bool().ok_or_else(|| field.expected("true or false")),
    }
}
