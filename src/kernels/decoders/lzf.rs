//! LZF, as liblzf writes it: literals and matches in bytes.
//!
//! A stream is a sequence of instructions. The first byte of each is a control byte:
//!
//! - below 32: a literal; control + 1 bytes follow;
//! - otherwise a match: the upper three bits are the length less 2; if they are 7, the next byte is added to the length.
//!   The lower five bits and the next byte are the distance less 1.

use super::blosclz::{repeat, take};

/// The longest literal.
pub const LONGEST: usize = 32;

/// The most bytes of content that a byte of a stream can produce: a match of 264 takes three.
pub const MOST_EXPANSION: usize = 88;

/// Decodes a stream to the start of `into`; returns the decoded length, or `None` if the stream is damaged.
#[inline(never)]
pub fn decode(stream: &[u8], into: &mut [u8]) -> Option<usize> {
    let (mut rest, mut at) = (stream, 0);
    while let Some((&control, after)) = rest.split_first() {
        rest = after;
        let control = usize::from(control);
        if control < LONGEST {
            let (literal, after) = rest.split_at_checked(control + 1)?;
            into.get_mut(at..at + literal.len())?.copy_from_slice(literal);
            rest = after;
            at += literal.len();
            continue;
        }
        let mut length = control / 32 + 2;
        if length == 9 {
            length += take(&mut rest)?;
        }
        let distance = control % 32 * 256 + take(&mut rest)?;
        let from = at.checked_sub(distance + 1)?;
        if length > into.len() - at {
            return None;
        }
        repeat(into, from, at, length);
        at += length;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    fn decode(stream: &[u8], room: usize) -> Option<Vec<u8>> {
        let mut content = vec![0; room];
        let length = super::decode(stream, &mut content)?;
        content.truncate(length);
        Some(content)
    }

    #[test]
    fn valid_streams_are_decoded() {
        assert_eq!(decode(b"", 4).as_deref(), Some(&b""[..]));
        // "ab", then 3 bytes from 2 back.
        assert_eq!(decode(b"\x01ab\x20\x01", 9).as_deref(), Some(&b"ababa"[..]));
        // 264 bytes from 1 back, then a literal.
        let run = [&[b'x'; 265][..], b"y"].concat();
        assert_eq!(decode(b"\x00x\xe0\xff\x00\x00y", 266), Some(run));
        // 3 bytes from 8192 back, of 8192 bytes in literals.
        let literal: Vec<u8> =
            (0..8192_u32).map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
        let pieces = literal.chunks(32).flat_map(|piece| [&[31], piece].concat());
        let stream: Vec<u8> = pieces.chain([0x3f, 0xff]).collect();
        assert_eq!(decode(&stream, 8195), Some([&literal[..], &literal[..3]].concat()));
    }

    #[test]
    fn damaged_streams_are_refused() {
        let cases: [(&[u8], usize); 7] = [
            (b"\x05ab", 6),
            (b"\x01ab", 1),
            (b"\x01ab\x20", 5),
            (b"\x01ab\xe0", 12),
            (b"\x01ab\xe0\x01", 12),
            (b"\x01ab\x20\x02", 5),
            (b"\x01ab\x40\x01", 5),
        ];
        for (stream, room) in cases {
            assert_eq!(decode(stream, room), None, "{stream:?}");
        }
    }
}
