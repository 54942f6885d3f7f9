//! Decoder of raw deflate streams (RFC 1951), without a header or a checksum, into memory of the caller.
//!
//! Written here because the crates of the same speed link two header formats, three checksums and their tables: 24 kB
//! of the download, where this decoder is 3.

mod header;
mod matches;
mod prefix_code;

use matches::{repeat, repeat_long};
use prefix_code::{ALL_BITS, END, INVALID, LITERAL, PrefixCode, all_bits, value};

/// Spare memory after the content for fast decoding: the longest match, and the bytes that copies overwrite after it.
pub const SLACK: usize = 288;

const CUT_SHORT: &str = "the stream is cut short";
const BAD_DISTANCE: &str = "a match that begins before the content";
const BAD_CODE: &str = "bits that match no prefix code";

/// The next part of a stream.
enum Next {
    /// The header of a block.
    Header,
    /// The rest of a stored block, of this many bytes.
    Stored(usize),
    /// Prefix codes of a block.
    Codes,
}

/// Decoder of one stream.
pub struct Inflate<'a> {
    input: &'a [u8],
    /// Position of the first byte that is not entirely in `bits`.
    at: usize,
    /// The next bits, starting with the lowest; `count` of them are valid.
    bits: u64,
    count: u32,
    next: Next,
    is_last: bool,
    literals: PrefixCode,
    distances: PrefixCode,
}

impl<'a> Inflate<'a> {
    /// A decoder of the stream at the start of these bytes.
    #[must_use]
    pub const fn new(input: &'a [u8]) -> Self {
        let (literals, distances) = (PrefixCode::new(), PrefixCode::new());
        Self { input, at: 0, bits: 0, count: 0, next: Next::Header, is_last: false, literals, distances }
    }

    /// Begins another stream.
    pub fn start(&mut self, input: &'a [u8]) {
        (self.input, self.at, self.bits, self.count) = (input, 0, 0, 0);
        (self.next, self.is_last) = (Next::Header, false);
    }

    /// The bytes after the stream, once it has ended.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.input.get(self.at - self.count as usize / 8..).unwrap_or_default()
    }

    /// Continues decoding at `at`, after all earlier content, up to the end of the stream or of `content`.
    ///
    /// Returns the end of the content, and whether the stream has ended; if not, it continues with more room. Bytes
    /// past the content are overwritten.
    ///
    /// # Errors
    /// A description of the damage.
    #[inline(never)]
    pub fn run(&mut self, content: &mut [u8], mut at: usize) -> Result<(usize, bool), &'static str> {
        loop {
            match self.next {
                Next::Header if self.is_last => return Ok((at, true)),
                Next::Header => self.header()?,
                Next::Stored(length) => {
                    let now = length.min(content.len() - at);
                    let stored = self.input.get(self.at..self.at + now).ok_or(CUT_SHORT)?;
                    content[at..at + now].copy_from_slice(stored);
                    self.at += now;
                    at += now;
                    if now < length {
                        self.next = Next::Stored(length - now);
                        return Ok((at, false));
                    }
                    self.next = Next::Header;
                }
                Next::Codes => {
                    let before = self.many(content, at)?;
                    at = before;
                    if matches!(self.next, Next::Codes) {
                        at = self.one(content, at)?;
                        if at == before && matches!(self.next, Next::Codes) {
                            return Ok((at, false));
                        }
                    }
                }
            }
        }
    }

    /// Decodes while eight bytes of input and room for the longest match are left.
    #[inline(never)]
    fn many(&mut self, content: &mut [u8], mut at: usize) -> Result<usize, &'static str> {
        let (mut bits, mut count, mut next) = (self.bits, self.count, self.at);
        // Bits past the valid ones belong to the next byte; refilling sets them again to the same values. Only the lowest
        // six bits of `count` are right, because whole entries are subtracted from it.
        macro_rules! refill {
            () => {
                match self.input.get(next..).and_then(|rest| rest.first_chunk()) {
                    Some(word) => bits |= u64::from_le_bytes(*word) << (count & ALL_BITS),
                    None => break,
                }
                next += (63 - (count & ALL_BITS)) as usize / 8;
                count = count & ALL_BITS | 56;
            };
        }
        macro_rules! skip {
            ($entry:expr) => {
                bits >>= all_bits($entry);
                count = count.wrapping_sub($entry);
            };
        }
        while content.len() - at >= SLACK {
            refill!();
            let mut found = self.literals.find(bits);
            if found & LITERAL != 0 {
                content[at] = (found >> 16) as u8;
                at += 1;
                skip!(found);
                found = self.literals.find(bits);
                if found & LITERAL != 0 {
                    content[at] = (found >> 16) as u8;
                    at += 1;
                    skip!(found);
                    found = self.literals.find(bits);
                    if found & LITERAL != 0 {
                        content[at] = (found >> 16) as u8;
                        at += 1;
                        skip!(found);
                        continue;
                    }
                }
                refill!();
            }
            if found & (END | INVALID) != 0 {
                if found & END == 0 {
                    return Err(BAD_CODE);
                }
                skip!(found);
                self.next = Next::Header;
                break;
            }
            let length = value(found, bits);
            skip!(found);
            let found = self.distances.find(bits);
            if found & INVALID != 0 {
                return Err(BAD_CODE);
            }
            let distance = value(found, bits);
            skip!(found);
            if distance > at {
                return Err(BAD_DISTANCE);
            }
            repeat(content, distance, at, length);
            at += length;
        }
        count &= ALL_BITS;
        (self.bits, self.count, self.at) = (bits & ((1 << count) - 1), count, next);
        Ok(at)
    }

    /// Decodes one literal, match or end of a block; nothing if there is no room for it.
    #[inline(never)]
    fn one(&mut self, content: &mut [u8], at: usize) -> Result<usize, &'static str> {
        self.refill();
        let found = self.literals.find(self.bits);
        let (mut length, mut used) = (value(found, self.bits), all_bits(found));
        let mut distance = 0;
        if found & INVALID != 0 {
            return Err(BAD_CODE);
        }
        if found & (LITERAL | END) == 0 {
            let bits = self.bits >> used;
            let found = self.distances.find(bits);
            if found & INVALID != 0 {
                return Err(BAD_CODE);
            }
            distance = value(found, bits);
            used += all_bits(found);
        } else {
            length = usize::from(found & LITERAL != 0);
        }
        if used > self.count {
            return Err(CUT_SHORT);
        }
        if distance > at {
            return Err(BAD_DISTANCE);
        }
        if length > content.len() - at {
            return Ok(at);
        }
        self.bits >>= used;
        self.count -= used;
        if found & END != 0 {
            self.next = Next::Header;
        } else if distance == 0 {
            content[at] = (found >> 16) as u8;
        } else {
            repeat_long(content, distance, at, length);
        }
        Ok(at + length)
    }

    /// Adds whole bytes to `bits` while there is room.
    #[inline(never)]
    fn refill(&mut self) {
        while self.count < 56
            && let Some(&byte) = self.input.get(self.at)
        {
            self.bits |= u64::from(byte) << self.count;
            self.at += 1;
            self.count += 8;
        }
    }
}
