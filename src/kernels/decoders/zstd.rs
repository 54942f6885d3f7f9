//! Decoder of Zstandard frames, by zrip. It is in this crate because inlined code is compiled with its caller.

pub use zrip::{DecompressContext, DecompressError, Dictionary};

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
