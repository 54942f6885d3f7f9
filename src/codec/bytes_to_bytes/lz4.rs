//! `numcodecs.lz4`: the length of the content in four bytes, little endian, then one LZ4 block.
//!
//! Specs: <https://numcodecs.readthedocs.io/en/stable/compression/lz4.html> and
//! <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>
//!
//! ```json
//! { "name": "numcodecs.lz4", "configuration": { "acceleration": 1 } }
//! ```

use rectilinear_zarr_kernels::decoders::lz4;

use crate::codec::size::Size;
use crate::error::{Error, Result};
use crate::output::memory::unwritten;
use crate::parts::{Codecs, Loaded, later};

pub(crate) const NAME: &str = "numcodecs.lz4";

/// The block's content.
#[later]
pub(crate) fn decode(_: Loaded<Codecs>, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let Some((length, content)) = encoded.split_first_chunk() else {
        return Err(Error::codec(NAME, encoded.len(), "at least the 4 bytes of the length"));
    };
    // A length that does not fit into usize fails the size check too.
    let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
    size.check(NAME, length)?;
    block(NAME, content, Size::Exactly(length))
}

/// The content of one LZ4 block without a length before it.
pub(crate) fn block(codec: &'static str, block: &[u8], size: Size) -> Result<Vec<u8>> {
    // A byte of a block adds at most 255 bytes of content, so no memory is allocated for an impossible length.
    let most = block.len().saturating_mul(255).saturating_add(254);
    let room = size.limit().min(most);
    if room < size.limit() && matches!(size, Size::Exactly(_)) {
        return Err(Error::codec(codec, format!("a block of {} bytes", block.len()), size.limit()));
    }
    let mut decoded = unwritten(room)?;
    let written = lz4::decode(block, &mut decoded)
        .map_err(|error| Error::codec(codec, format!("a damaged block: {error}"), room))?;
    size.check(codec, written)?;
    decoded.truncate(written);
    Ok(decoded)
}
