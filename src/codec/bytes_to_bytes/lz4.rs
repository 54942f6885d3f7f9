//! `numcodecs.lz4`: the length of the content in four bytes, little endian, then one LZ4 block.
//!
//! Specs: <https://numcodecs.readthedocs.io/en/stable/compression/lz4.html> and
//! <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>
//!
//! ```json
//! { "name": "numcodecs.lz4", "configuration": { "acceleration": 1 } }
//! ```

use std::borrow::Cow;

use rectilinear_zarr_kernels::for_speed::decode_lz4_block;

use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::memory::unwritten;
use crate::parts::{Codecs, Loaded, later};

const NAME: &str = Lz4::NAMES[0];

/// The codec, with the part that decodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lz4(Loaded<Codecs>);

impl BytesToBytesCodec for Lz4 {
    fn parse(extension: &Extension) -> Result<Self> {
        // Only the names of the settings are checked: the decoder reads its parameters from the data.
        extension.settings().only_fields(&["acceleration"])?;
        Ok(Self(Loaded::get()?))
    }

    fn decoded_rate(&self) -> u64 {
        3000
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        decode(self.0, &encoded, size).map(Cow::Owned)
    }
}

/// The block's content.
#[later]
pub(super) fn decode(_: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let Some((length, content)) = encoded.split_first_chunk() else {
        return Err(Error::codec(NAME, encoded.len(), "at least the 4 bytes of the length"));
    };
    // A length that does not fit into usize fails the size check too.
    let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
    size.check(NAME, length)?;
    block(NAME, content, Size::Exactly(length))
}

/// The content of one LZ4 block without a length before it.
pub(super) fn block(codec: &'static str, block: &[u8], size: Size) -> Result<Vec<u8>> {
    // A byte of a block adds at most 255 bytes of content, so no memory is allocated for an impossible length.
    let most = block.len().saturating_mul(255).saturating_add(254);
    let room = size.limit().min(most);
    if room < size.limit() && matches!(size, Size::Exactly(_)) {
        return Err(Error::codec(codec, format!("a block of {} bytes", block.len()), size.limit()));
    }
    let mut decoded = unwritten(room)?;
    let written = decode_lz4_block(block, &mut decoded)
        .map_err(|error| Error::codec(codec, format!("a damaged block: {error}"), room))?;
    size.check(codec, written)?;
    decoded.truncate(written);
    Ok(decoded)
}
