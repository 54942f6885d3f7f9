//! Chunks of blocks: a head with the bytes of the content and of a block, then each block after its length.

use crate::codec::kinds::Size;
use crate::error::{Error, Result};

/// Splits a number of four bytes, big endian, and so many bytes off a chunk.
pub(super) fn counted<'a>(codec: &'static str, rest: &mut &'a [u8]) -> Result<&'a [u8]> {
    let short = || Error::codec(codec, "bytes that end within a block", "whole blocks");
    let (length, content) = rest.split_first_chunk().ok_or_else(short)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
    let (block, after) = content.split_at_checked(length).ok_or_else(short)?;
    *rest = after;
    Ok(block)
}

/// Splits off the head that chunks of blocks have: the bytes of the content and of a block, big endian.
pub(super) fn head<'a>(
    codec: &'static str,
    encoded: &'a [u8],
    size: Size,
) -> Result<(usize, usize, &'a [u8])> {
    let parts =
        encoded.split_first_chunk().and_then(|(length, rest)| Some((length, rest.split_first_chunk()?)));
    let Some((length, (block, rest))) = parts else {
        return Err(Error::codec(codec, encoded.len(), "at least the 12 bytes of the head"));
    };
    let length = usize::try_from(u64::from_be_bytes(*length)).unwrap_or(usize::MAX);
    size.check(codec, length)?;
    let block = usize::try_from(u32::from_be_bytes(*block)).unwrap_or(usize::MAX);
    Ok((length, block, rest))
}
