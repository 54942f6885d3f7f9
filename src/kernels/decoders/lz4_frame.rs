//! Frames of LZ4, decoded by lz4_flex: blocks that may refer to those before them, and checksums.

use std::io::{Read, Result};

use lz4_flex::frame::FrameDecoder;

/// Content of LZ4 frames, read piece by piece.
#[derive(Debug)]
pub struct Frames<'a>(FrameDecoder<&'a [u8]>);

impl<'a> Frames<'a> {
    /// The frames that these bytes are.
    #[must_use]
    pub fn new(encoded: &'a [u8]) -> Self {
        Self(FrameDecoder::new(encoded))
    }
}

impl Read for Frames<'_> {
    #[inline(never)]
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        self.0.read(into)
    }
}
