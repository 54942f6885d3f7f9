//! blosclz, Blosc's own compressor: literals and matches in bytes, descended from FastLZ.
//!
//! A stream is a row of instructions. The first byte of each is a control byte:
//!
//! - below 32: a literal of control + 1 bytes, which follow;
//! - otherwise a match: its upper three bits are the length less 2; where they are 7, bytes follow that are added to
//!   it, up to the first that is not 255. Its lower five bits, and the byte after all that, are the distance less 1;
//!   where all of these 13 bits are set, two more bytes, big endian, are added to it.
//!
//! The first instruction is a literal, whatever its upper three bits say.

/// The distance that says that a far one follows.
const FAR: usize = 0x1fff;

/// The longest literal. All of so many bytes are copied where there is room, wanted or not: in WebAssembly, a copy
/// whose length the compiler does not know costs more than most literals and matches are long.
const LONGEST: usize = 32;

/// Number of bytes of a match that are copied in one go.
const PIECE: usize = 16;

/// Fills `into` from its start; returns how many bytes there were, or nothing where the stream is damaged.
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
                    // Before it can overflow, which takes 16 MiB of 255.
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

fn take(rest: &mut &[u8]) -> Option<usize> {
    let (&byte, after) = rest.split_first()?;
    *rest = after;
    Some(usize::from(byte))
}

/// Copies what lies at `from` to `at`, over and over where it reaches `at`.
fn repeat(bytes: &mut [u8], from: usize, at: usize, length: usize) {
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
        // What was copied can be copied too: the stretch doubles each time.
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
    fn what_the_format_allows() {
        // "ab", then 3 bytes from 2 back: the upper bits of the first instruction say nothing.
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
    fn what_it_does_not() {
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
