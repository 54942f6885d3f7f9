//! Headers of deflate blocks: the block type and its prefix codes.

use super::prefix_code::{END, INVALID, LITERAL, MOST_SYMBOLS, all_bits, entry, value};
use super::{CUT_SHORT, Inflate, Next};

const BAD_LENGTHS: &str = "code lengths that form no prefix code";

/// The order of the code length alphabet in a block's header.
const ORDER: [u8; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

impl Inflate<'_> {
    /// Reads the header of a block: its type and its prefix codes.
    #[cold]
    #[inline(never)]
    pub(super) fn header(&mut self) -> Result<(), &'static str> {
        self.is_last = self.take(1)? == 1;
        let mut lengths = [0; MOST_SYMBOLS + 32];
        let (literals, distances) = match self.take(2)? {
            0 => {
                // Unread whole bytes are given back; the rest of the current byte is skipped.
                self.at -= self.count as usize / 8;
                (self.bits, self.count) = (0, 0);
                let sizes =
                    self.input.get(self.at..).and_then(|rest| rest.first_chunk::<4>()).ok_or(CUT_SHORT)?;
                let length = u16::from_le_bytes([sizes[0], sizes[1]]);
                if length != !u16::from_le_bytes([sizes[2], sizes[3]]) {
                    return Err("a stored block whose length does not match its complement");
                }
                self.at += sizes.len();
                self.next = Next::Stored(usize::from(length));
                return Ok(());
            }
            1 => {
                for (symbol, length) in lengths.iter_mut().enumerate() {
                    *length = match symbol {
                        0..144 => 8,
                        144..256 => 9,
                        256..280 => 7,
                        280..288 => 8,
                        _ => 5,
                    };
                }
                lengths.split_at(MOST_SYMBOLS)
            }
            2 => {
                let literals = self.take(5)? as usize + 257;
                let distances = self.take(5)? as usize + 1;
                let known = self.take(4)? as usize + 4;
                if literals > 286 || distances > 30 {
                    return Err("more code lengths than symbols");
                }
                let lengths = &mut lengths[..literals + distances];
                self.lengths(known, lengths)?;
                lengths.split_at(literals)
            }
            _ => return Err("a block of the reserved type 3"),
        };
        if literals[256] == 0 {
            return Err("a block without an end-of-block code");
        }
        if !self.literals.set(literals, false, literal) || !self.distances.set(distances, false, distance) {
            return Err(BAD_LENGTHS);
        }
        self.next = Next::Codes;
        Ok(())
    }

    /// Reads the code lengths of a block, which are prefix-coded themselves; the `known` lengths of that code come
    /// first.
    #[inline(never)]
    fn lengths(&mut self, known: usize, lengths: &mut [u8]) -> Result<(), &'static str> {
        let mut code = [0; ORDER.len()];
        for &symbol in &ORDER[..known] {
            code[usize::from(symbol)] = self.take(3)? as u8;
        }
        // The table of distances is free until the distance code is read.
        if !self.distances.set(&code, true, |symbol| entry(symbol, 0)) {
            return Err(BAD_LENGTHS);
        }
        let mut at = 0;
        while at < lengths.len() {
            self.refill();
            let found = self.distances.find(self.bits);
            let symbol = value(found, self.bits);
            if found & INVALID != 0 {
                return Err(BAD_LENGTHS);
            }
            self.take(all_bits(found))?;
            let (length, times) = match symbol {
                16 => (*lengths[..at].last().ok_or(BAD_LENGTHS)?, 3 + self.take(2)?),
                17 => (0, 3 + self.take(3)?),
                18 => (0, 11 + self.take(7)?),
                _ => (symbol as u8, 1),
            };
            let times = times as usize;
            lengths.get_mut(at..at + times).ok_or(BAD_LENGTHS)?.fill(length);
            at += times;
        }
        Ok(())
    }

    /// Takes the next `number` bits as an integer.
    #[inline(never)]
    fn take(&mut self, number: u32) -> Result<u32, &'static str> {
        self.refill();
        if number > self.count {
            return Err(CUT_SHORT);
        }
        let value = self.bits as u32 & ((1 << number) - 1);
        self.bits >>= number;
        self.count -= number;
        Ok(value)
    }
}

/// Entry of a literal/length symbol: a byte, the end of the block, or the length of a match.
fn literal(symbol: u32) -> u32 {
    match symbol {
        0..256 => LITERAL | entry(symbol, 0),
        256 => END,
        257..265 => entry(symbol - 254, 0),
        265..285 => {
            let extra = (symbol - 261) / 4;
            entry(((4 + (symbol - 261) % 4) << extra) + 3, extra)
        }
        285 => entry(258, 0),
        _ => INVALID,
    }
}

/// Entry of a distance symbol.
fn distance(symbol: u32) -> u32 {
    match symbol {
        0..4 => entry(symbol + 1, 0),
        4..30 => {
            let extra = symbol / 2 - 1;
            entry(((2 + symbol % 2) << extra) + 1, extra)
        }
        _ => INVALID,
    }
}
