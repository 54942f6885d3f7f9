//! Decoder of LZ4 frames, by lz4_flex: blocks that may refer to earlier blocks, and checksums.

use std::io::{Read, Result};

use lz4_flex::frame::FrameDecoder;

/// Reader of the content of LZ4 frames.
#[derive(Debug)]
pub struct Frames<'a>(FrameDecoder<&'a [u8]>);

impl<'a> Frames<'a> {
    /// A reader of these frames.
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
