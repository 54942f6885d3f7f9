//! blosclz, Blosc's own compressor: literals and matches in bytes, descended from FastLZ.
//!
//! A stream is a sequence of instructions. The first byte of each is a control byte:
//!
//! - below 32: a literal; control + 1 bytes follow;
//! - otherwise a match: the upper three bits are the length less 2; if they are 7, further bytes are added to the
//!   length, up to the first byte that is not 255. The lower five bits and the next byte are the distance less 1; if
//!   all of these 13 bits are set, two more bytes, big endian, are added to the distance.
//!
//! The first instruction is always a literal; its upper three bits are ignored.

/// Distance code after which two more bytes of the distance follow.
const FAR: usize = 0x1fff;

/// The longest literal. Where there is room, 32 bytes are copied for every literal: in WebAssembly, a copy of constant
/// length is cheaper than one of variable length, even if some bytes are not needed.
const LONGEST: usize = 32;

/// Number of bytes of a match that are copied at a time.
const PIECE: usize = 16;

/// Decodes a stream to the start of `into`; returns the decoded length, or `None` if the stream is damaged.
#[inline(never)]
pub fn decode(stream: &[u8], into: &mut [u8]) -> Option<usize> {
    let (&control, mut rest) = stream.split_first()?;
    let mut control = usize::from(control & 31);
    let mut at = 0;
    loop {
        if control < 32 {
            let length = control + 1;
            match (rest.first_chunk::<LONGEST>(), into[at..].first_chunk_mut::<LONGEST>()) {
                (Some(literal), Some(into)) => *into = *literal,
                _ => into.get_mut(at..at + length)?.copy_from_slice(rest.get(..length)?),
            }
            rest = &rest[length..];
            at += length;
        } else {
            let mut length = control / 32 + 2;
            if length == 9 {
                loop {
                    let more = take(&mut rest)?;
                    length += more;
                    // Checked here, before 16 MiB of 255 could overflow the length.
                    if length > into.len() - at {
                        return None;
                    }
                    if more != 255 {
                        break;
                    }
                }
            }
            let mut distance = control % 32 * 256 + take(&mut rest)?;
            if distance == FAR {
                distance += take(&mut rest)? * 256 + take(&mut rest)?;
            }
            let from = at.checked_sub(distance + 1)?;
            if length > into.len() - at {
                return None;
            }
            repeat(into, from, at, length);
            at += length;
        }
        match take(&mut rest) {
            Some(next) => control = next,
            None => return Some(at),
        }
    }
}

/// Splits off a byte, as a number.
pub(super) fn take(rest: &mut &[u8]) -> Option<usize> {
    let (&byte, after) = rest.split_first()?;
    *rest = after;
    Some(usize::from(byte))
}

/// Copies `length` bytes from `from` to `at`, repeating the bytes before `at` if the ranges overlap.
pub(super) fn repeat(bytes: &mut [u8], from: usize, at: usize, length: usize) {
    if length <= 4 * PIECE && at - from >= PIECE && bytes.len() - at >= length + PIECE {
        for step in (0..length).step_by(PIECE) {
            if let Some(&piece) = bytes[from + step..].first_chunk::<PIECE>() {
                bytes[at + step..][..PIECE].copy_from_slice(&piece);
            }
        }
        return;
    }
    let mut copied = 0;
    while copied < length {
        // Copied bytes can be copied again: the stretch doubles each time.
        let stretch = (at + copied - from).min(length - copied);
        bytes.copy_within(from..from + stretch, at + copied);
        copied += stretch;
    }
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
        // "ab", then 3 bytes from 2 back: the upper bits of the first instruction are ignored.
        assert_eq!(decode(b"\xe1ab\x20\x01", 9).as_deref(), Some(&b"ababa"[..]));
        // 9 + 255 + 1 bytes from 1 back, then a literal.
        let run = [&[b'x'; 266][..], b"y"].concat();
        assert_eq!(decode(b"\x00x\xe0\xff\x01\x00\x00y", 267), Some(run));
        // 3 bytes from 8192 + 256 back, of 8449 bytes in literals.
        let literal: Vec<u8> =
            (0..8449_u32).map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
        let mut stream = Vec::new();
        for piece in literal.chunks(32) {
            stream.push(u8::try_from(piece.len() - 1).unwrap_or_default());
            stream.extend(piece);
        }
        stream.extend([0x3f, 0xff, 0x01, 0x00]);
        assert_eq!(decode(&stream, 8452), Some([&literal[..], &literal[1..4]].concat()));
    }

    #[test]
    fn damaged_streams_are_refused() {
        let all_long: Vec<u8> = [&[0, b'x', 0xe0][..], &[255; 5000]].concat();
        let cases: [(&[u8], usize); 10] = [
            (b"", 4),
            (b"\x05ab", 6),
            (b"\x01ab", 1),
            (b"\x01ab\x20", 5),
            (b"\x01ab\xe0", 12),
            (b"\x01ab\x3f\xff", 5),
            (b"\x01ab\x3f\xff\x00", 5),
            (b"\x01ab\x20\x02", 5),
            (b"\x01ab\x40\x01", 5),
            (&all_long, 6000),
        ];
        for (stream, room) in cases {
            assert_eq!(decode(stream, room), None, "{stream:?}");
        }
    }
}
