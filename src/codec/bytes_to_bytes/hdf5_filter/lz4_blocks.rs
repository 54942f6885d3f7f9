//! LZ4 in blocks: a head with the bytes of the content and of a block, then each block after its length. A block that is
//! as long as its content is stored.

use rectilinear_zarr_kernels::for_speed::decode_lz4_block;

use super::blocks::{counted, head};
use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::output::memory::unwritten;

/// The content.
pub(super) fn decode(codec: &'static str, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    let (length, block, mut rest) = head(codec, encoded, size)?;
    // A byte of a block stands for at most 255 bytes of content.
    if length > encoded.len().saturating_mul(255) || (block == 0 && length > 0) {
        return Err(Error::codec(codec, format!("{} bytes in blocks of {block}", encoded.len()), length));
    }
    let mut content = unwritten(length)?;
    for part in content.chunks_mut(block.max(1)) {
        let stored = counted(codec, &mut rest)?;
        if stored.len() == part.len() {
            part.copy_from_slice(stored);
        } else {
            fill(codec, stored, part)?;
        }
    }
    Ok(content)
}

/// Decodes an LZ4 block that is all of `into`.
pub(super) fn fill(codec: &'static str, block: &[u8], into: &mut [u8]) -> Result<()> {
    match decode_lz4_block(block, into) {
        Ok(length) if length == into.len() => Ok(()),
        Ok(length) => Err(Error::codec(codec, length, into.len())),
        Err(error) => Err(Error::codec(codec, format!("a damaged block: {error}"), into.len())),
    }
}
