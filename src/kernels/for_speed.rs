//! Functions of std and of other crates that run for each byte of a chunk. They are in this crate because generic and
//! inlined code is compiled with the settings of its caller's crate.

#[cfg(feature = "lz4-frame")]
use std::io::Read;

#[cfg(feature = "zstd")]
pub use zrip::{DecompressContext, DecompressError, Dictionary};

/// Resizes a buffer; new bytes are zeros. Compiled for size, `Vec::resize` is a loop over single bytes.
#[inline(never)]
pub fn resize(bytes: &mut Vec<u8>, length: usize) {
    bytes.resize(length, 0);
}

/// Appends the content of one Zstandard frame to `decoded`, and verifies its checksum.
///
/// # Errors
/// The message of zrip, also if the content is longer than `room` bytes.
#[cfg(feature = "zstd")]
#[inline(never)]
pub fn decode_zstd_frame(
    context: &mut DecompressContext,
    frame: &[u8],
    decoded: &mut Vec<u8>,
    room: usize,
) -> Result<usize, DecompressError> {
    context.decompress_into_with_limit(frame, decoded, room)
}

/// Decodes an LZ4 block to the start of `into`; returns the decoded length.
///
/// # Errors
/// The message of lz4_flex.
#[cfg(feature = "lz4")]
#[inline(never)]
pub fn decode_lz4_block(block: &[u8], into: &mut [u8]) -> Result<usize, String> {
    lz4_flex::block::decompress_into(block, into).map_err(|error| error.to_string())
}

/// Reader of the content of LZ4 frames: blocks that may refer to earlier blocks, and checksums.
#[cfg(feature = "lz4-frame")]
#[derive(Debug)]
pub struct Lz4Frames<'a>(lz4_flex::frame::FrameDecoder<&'a [u8]>);

#[cfg(feature = "lz4-frame")]
impl<'a> Lz4Frames<'a> {
    /// A reader of these frames.
    #[must_use]
    pub fn new(encoded: &'a [u8]) -> Self {
        Self(lz4_flex::frame::FrameDecoder::new(encoded))
    }
}

#[cfg(feature = "lz4-frame")]
impl Read for Lz4Frames<'_> {
    #[inline(never)]
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(into)
    }
}
