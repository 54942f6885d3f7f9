//! Reader of inflated data, piece by piece: one stream, or members one after the other.
//!
//! flate2's own reader takes a stream that is cut short, even before its checksum, for one that ended; and that of gzip's
//! members parses and verifies by itself what zlib-rs does too.

use std::io::{Error as IoError, ErrorKind, Read, Result as IoResult};

use flate2::{Decompress, FlushDecompress, Status};

/// The content of encoded bytes.
pub(crate) struct Inflated<'a> {
    inflate: Decompress,
    rest: &'a [u8],
    /// Whether another member begins where one ends before the last byte.
    has_members: bool,
    ended: bool,
}

impl<'a> Inflated<'a> {
    /// Of one stream; bytes after its end are ignored.
    pub(crate) fn of_one(inflate: Decompress, encoded: &'a [u8]) -> Self {
        Self { inflate, rest: encoded, has_members: false, ended: false }
    }

    /// Of streams up to the last byte, and zeros after each.
    pub(crate) fn of_members(inflate: Decompress, encoded: &'a [u8]) -> Self {
        Self { inflate, rest: encoded, has_members: true, ended: false }
    }
}

impl Read for Inflated<'_> {
    fn read(&mut self, into: &mut [u8]) -> IoResult<usize> {
        while !self.ended {
            let before = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(self.rest, into, FlushDecompress::None)?;
            let consumed = usize::try_from(self.inflate.total_in() - before.0).unwrap_or(self.rest.len());
            let written = usize::try_from(self.inflate.total_out() - before.1).unwrap_or(into.len());
            self.rest = self.rest.get(consumed..).unwrap_or_default();
            if status == Status::StreamEnd {
                if self.has_members {
                    // Zeros may follow a member, as Python's gzip has it.
                    let zeros = self.rest.iter().take_while(|&&byte| byte == 0).count();
                    self.rest = &self.rest[zeros..];
                }
                self.ended = !self.has_members || self.rest.is_empty();
                if !self.ended {
                    // To be of the kind that it was.
                    self.inflate.reset(true);
                }
            } else if written == 0 {
                return Err(IoError::new(ErrorKind::UnexpectedEof, "the stream is cut short"));
            }
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::bufread::MultiGzDecoder;
    use flate2::write::GzEncoder;
    use flate2::{Compression, Decompress};

    use super::Inflated;

    fn member(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).and_then(|()| encoder.finish()).unwrap_or_default()
    }

    fn whole(mut decoder: impl Read) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        decoder.read_to_end(&mut content).ok().map(|_| content)
    }

    fn members(encoded: &[u8]) -> Option<Vec<u8>> {
        whole(Inflated::of_members(Decompress::new_gzip(15), encoded))
    }

    #[test]
    fn members_follow_one_another_though_some_are_empty() {
        let long: Vec<u8> = (0..200_000_u32).flat_map(|i| i.wrapping_mul(i).to_le_bytes()).collect();
        let encoded = [member(b""), member(&long), member(b""), member(b"end"), member(b"")].concat();
        assert_eq!(members(&encoded), Some([long.as_slice(), b"end"].concat()));
        let padded = [&encoded, &[0, 0][..], &member(b" of all"), &[0]].concat();
        assert_eq!(members(&padded), Some([long.as_slice(), b"end of all"].concat()));
        assert_eq!(members(&[&encoded, &[0, 1][..]].concat()), None);
    }

    #[test]
    fn what_is_damaged_or_cut_short_is_no_better_than_for_flate2s_own_reader() {
        let encoded = [member(b"one one one"), member(b""), member(b"two")].concat();
        for end in 0..encoded.len() {
            assert_eq!(members(&encoded[..end]), whole(MultiGzDecoder::new(&encoded[..end])), "{end}");
        }
        for bit in 0..encoded.len() * 8 {
            let mut damaged = encoded.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let found = members(&damaged);
            assert!(found.is_none() || found == whole(MultiGzDecoder::new(damaged.as_slice())), "{bit}");
        }
    }
}
