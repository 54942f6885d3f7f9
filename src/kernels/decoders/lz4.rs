//! A block of LZ4, decoded by lz4_flex: its loop is generic, and so compiled with whoever calls it.

/// Fills `into` from its start; returns how many bytes there were, or what is wrong with the block.
///
/// # Errors
/// In lz4_flex's words.
#[inline(never)]
pub fn decode(block: &[u8], into: &mut [u8]) -> Result<usize, String> {
    lz4_flex::block::decompress_into(block, into).map_err(|error| error.to_string())
}
