//! `numcodecs.zlib`: one zlib stream; its checksum is verified.
//!
//! Bytes after the end of the stream are ignored, as in zlib's `uncompress`.
//! Specs: <https://numcodecs.readthedocs.io/en/stable/compression/zlib.html> and
//! <https://www.rfc-editor.org/rfc/rfc1950>
//!
//! ```json
//! { "name": "numcodecs.zlib", "configuration": { "level": 1 } }
//! ```

use std::borrow::Cow;

use super::inflate::zlib;
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::Result;
use crate::metadata::Extension;
use crate::parts::{Codecs, Loaded, later};

const NAME: &str = Zlib::NAMES[0];

/// The codec, with the part that decodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Zlib(Loaded<Codecs>);

impl BytesToBytesCodec for Zlib {
    fn parse(extension: &Extension) -> Result<Self> {
        // Only the names of the settings are checked: the decoder reads its parameters from the data.
        extension.settings().only_fields(&["level"])?;
        Ok(Self(Loaded::get()?))
    }

    fn decoded_rate(&self) -> u64 {
        200
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        decode(self.0, &encoded, size).map(Cow::Owned)
    }
}

/// The stream's content.
#[later]
fn decode(_: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    zlib(NAME, encoded, size)
}
