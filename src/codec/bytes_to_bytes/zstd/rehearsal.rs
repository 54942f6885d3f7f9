//! A frame to decode before the first one arrives: browsers compile a function of WebAssembly when it is first called,
//! which takes longer than to decode a chunk.

use super::{Zstd, decode};
use crate::codec::size::Size;

/// Bytes of the frame's content.
const CONTENT_BYTES: usize = 306;

/// Frame of level 19 by zstd 1.5, whose block has four streams of literals and three sequences.
#[rustfmt::skip]
const FRAME: [u8; 106] = [
    0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x32, 0x00, 0x05, 0x03, 0x00, 0xe6, 0x10, 0x15, 0x88, 0x76, 0x54, 0x32,
    0x10, 0x00, 0x12, 0x00, 0x12, 0x00, 0x12, 0x00, 0x99, 0x6b, 0x55, 0x23, 0x74, 0x8d, 0x7b, 0x42, 0x49,
    0x51, 0x6a, 0x79, 0x62, 0x1f, 0x4a, 0x53, 0x39, 0xa1, 0x27, 0x15, 0xb9, 0x64, 0x53, 0x18, 0x4f, 0x22,
    0x4f, 0xe3, 0x15, 0x8b, 0xe3, 0xf9, 0x70, 0x58, 0x2f, 0x03, 0x65, 0xe6, 0x50, 0x1a, 0x3a, 0xa5, 0x97,
    0x19, 0x71, 0x1c, 0x67, 0x6d, 0x63, 0x1a, 0x9b, 0x55, 0x08, 0xf1, 0x4d, 0xe5, 0x20, 0xd0, 0xa7, 0xb3,
    0xe7, 0x3a, 0x0a, 0xa8, 0xda, 0x85, 0x54, 0x45, 0x18, 0xde, 0x33, 0x14, 0x02, 0x00, 0x78, 0xe3, 0x04,
    0x82, 0x3e, 0x68, 0xa6,
];

impl Zstd {
    /// Decodes the frame.
    pub(in crate::codec) fn rehearse() {
        // Cannot fail: the test below decodes it.
        let _ = decode(&FRAME, Size::Exactly(CONTENT_BYTES));
    }
}

#[cfg(test)]
mod tests {
    use super::{CONTENT_BYTES, FRAME, Size, decode};

    /// Positions of the lowest set bits of numbers that a linear congruential generator gives, and repeats of them.
    fn content() -> Vec<u8> {
        let mut state = 1_u32;
        let mut content: Vec<u8> = (0..260)
            .map(|_| {
                state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
                (state >> 8 | 0x80).trailing_zeros().to_le_bytes()[0]
            })
            .collect();
        for (repeat, after) in [(10..34, Some(9)), (40..52, Some(5)), (3..11, None)] {
            content.extend_from_within(repeat);
            content.extend(after);
        }
        content
    }

    #[test]
    fn the_frame_is_decoded() {
        let decoded = decode(&FRAME, Size::Exactly(CONTENT_BYTES));
        assert_eq!(decoded.ok(), Some(content()));
    }
}
