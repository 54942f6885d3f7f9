//! Decoder of LZ4 blocks, by lz4_flex. It is in this crate because its generic loop is compiled with its caller.

/// Decodes a block to the start of `into`; returns the decoded length.
///
/// # Errors
/// The message of lz4_flex.
#[inline(never)]
pub fn decode(block: &[u8], into: &mut [u8]) -> Result<usize, String> {
    lz4_flex::block::decompress_into(block, into).map_err(|error| error.to_string())
}
