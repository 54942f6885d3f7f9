//! Deflate (RFC 1951), undone into memory that the caller makes: raw streams, without a header or a checksum.
//!
//! Our own, because the crates that read deflate as fast link two formats of header, three checksums and their tables:
//! 24 kB of the download, where this is 3.

mod header;
mod matches;
mod prefix_code;

use matches::{repeat, repeat_long};
use prefix_code::{END, INVALID, LITERAL, PrefixCode, code_bits, value};

/// Memory past the content that decoding is fastest with: the longest match, and what copies write too much.
pub const SLACK: usize = 288;

const CUT_SHORT: &str = "the stream is cut short";
const BAD_DISTANCE: &str = "a match from before the content";
const BAD_CODE: &str = "bits that are no code";

/// The part of a stream that comes next.
enum Next {
    /// The header of a block.
    Header,
    /// Bytes of a stored block, as many as said.
    Stored(usize),
    /// Codes of a block.
    Codes,
}

/// Decoder of one stream.
pub struct Inflate<'a> {
    input: &'a [u8],
    /// The first byte that is not whole in `bits`.
    at: usize,
    /// The next bits, the first one the lowest, of which `count` are valid.
    bits: u64,
    count: u32,
    next: Next,
    is_last: bool,
    literals: PrefixCode,
    distances: PrefixCode,
}

impl<'a> Inflate<'a> {
    /// A decoder of the stream that these bytes begin with.
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

    /// Goes on writing content at `at`, after all that was written before, up to the end of the stream or of `content`.
    ///
    /// Returns where the content ends, and whether the stream has ended: else it goes on once there is more room. Bytes past
    /// the content are overwritten.
    ///
    /// # Errors
    /// The damage, in words.
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

    /// Reads what it can with the next eight bytes of input at hand, and room for the longest match.
    #[inline(never)]
    fn many(&mut self, content: &mut [u8], mut at: usize) -> Result<usize, &'static str> {
        let (mut bits, mut count, mut next) = (self.bits, self.count, self.at);
        // Bits past the valid ones are those of the next byte, which are added again as they are.
        macro_rules! refill {
            () => {
                match self.input.get(next..).and_then(|rest| rest.first_chunk()) {
                    Some(word) => bits |= u64::from_le_bytes(*word) << count,
                    None => break,
                }
                next += (63 - count) as usize / 8;
                count |= 56;
            };
        }
        macro_rules! skip {
            ($number:expr) => {
                let number = $number;
                bits >>= number;
                count -= number;
            };
        }
        while content.len() - at >= SLACK {
            refill!();
            let mut found = self.literals.find(bits);
            if found & LITERAL != 0 {
                content[at] = (found >> 8) as u8;
                at += 1;
                skip!(code_bits(found));
                found = self.literals.find(bits);
                if found & LITERAL != 0 {
                    content[at] = (found >> 8) as u8;
                    at += 1;
                    skip!(code_bits(found));
                    found = self.literals.find(bits);
                    if found & LITERAL != 0 {
                        content[at] = (found >> 8) as u8;
                        at += 1;
                        skip!(code_bits(found));
                        continue;
                    }
                }
                refill!();
            }
            if found & (END | INVALID) != 0 {
                if found & END == 0 {
                    return Err(BAD_CODE);
                }
                skip!(code_bits(found));
                self.next = Next::Header;
                break;
            }
            let (length, used) = value(found, bits);
            skip!(used);
            let found = self.distances.find(bits);
            if found & INVALID != 0 {
                return Err(BAD_CODE);
            }
            let (distance, used) = value(found, bits);
            skip!(used);
            if distance > at {
                return Err(BAD_DISTANCE);
            }
            repeat(content, at - distance, at, length);
            at += length;
        }
        (self.bits, self.count, self.at) = (bits & ((1 << count) - 1), count, next);
        Ok(at)
    }

    /// Reads one literal, match or end of a block; nothing where there is no room for it.
    #[inline(never)]
    fn one(&mut self, content: &mut [u8], at: usize) -> Result<usize, &'static str> {
        self.refill();
        let found = self.literals.find(self.bits);
        let (mut length, mut used) = value(found, self.bits);
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
            let more;
            (distance, more) = value(found, bits);
            used += more;
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
            content[at] = (found >> 8) as u8;
        } else {
            repeat_long(content, at - distance, at, length);
        }
        Ok(at + length)
    }

    /// Adds whole bytes to the bits at hand while there is room for them.
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
