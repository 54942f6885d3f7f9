//! `numcodecs.zlib`: one zlib stream; its checksum is verified.
//!
//! Bytes after the end of the stream are ignored, as in zlib's `uncompress`.
//! Specs: <https://numcodecs.readthedocs.io/en/stable/compression/zlib.html> and
//! <https://www.rfc-editor.org/rfc/rfc1950>
//!
//! ```json
//! { "name": "numcodecs.zlib", "configuration": { "level": 1 } }
//! ```

use super::inflate::zlib;
use crate::codec::size::Size;
use crate::error::Result;
use crate::parts::{Codecs, Loaded, later};

pub(crate) const NAME: &str = "numcodecs.zlib";

/// The stream's content.
#[later]
pub(crate) fn decode(_: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    zlib(NAME, encoded, size)
}
