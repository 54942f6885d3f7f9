//! Decoder of Zstandard frames, by zrip. It is in this crate because inlined code is compiled with its caller.

use std::io::{Cursor, Read};

pub use zrip::{DecompressContext, DecompressError, Dictionary};

/// Frames whose content is read a part at a time.
pub struct FrameStream(Box<zrip::FrameDecoder<Cursor<Vec<u8>>>>);

impl FrameStream {
    /// A stream of the content of frames, which has at most `most` bytes.
    #[must_use]
    pub fn new(frames: Vec<u8>, most: usize) -> Self {
        Self(Box::new(zrip::FrameDecoder::with_limit(Cursor::new(frames), most)))
    }

    /// Appends the next bytes, up to this many; returns how many came, 0 at the end.
    ///
    /// # Errors
    /// The message of zrip.
    #[inline(never)]
    pub fn read(&mut self, content: &mut Vec<u8>, bytes: usize) -> Result<usize, String> {
        self.0.by_ref().take(bytes as u64).read_to_end(content).map_err(|error| error.to_string())
    }
}

/// Appends the content of one frame to `decoded`, and verifies its checksum.
///
/// # Errors
/// The message of zrip, also if the content is longer than `room` bytes.
#[inline(never)]
pub fn decode_frame(
    context: &mut DecompressContext,
    frame: &[u8],
    decoded: &mut Vec<u8>,
    room: usize,
) -> Result<usize, DecompressError> {
    context.decompress_into_with_limit(frame, decoded, room)
}
