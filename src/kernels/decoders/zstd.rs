//! A frame of Zstandard, decoded by zrip: it would be compiled as its caller is wherever it is inlined.

pub use zrip::{DecompressContext, DecompressError, Dictionary};

/// Appends the content of one frame, its checksum verified.
///
/// # Errors
/// In zrip's words, also where there are more bytes than `room`.
#[inline(never)]
pub fn decode_frame(
    context: &mut DecompressContext,
    frame: &[u8],
    decoded: &mut Vec<u8>,
    room: usize,
) -> Result<usize, DecompressError> {
    context.decompress_into_with_limit(frame, decoded, room)
}
