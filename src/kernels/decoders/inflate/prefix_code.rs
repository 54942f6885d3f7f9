//! Prefix codes of deflate (RFC 1951, section 3.2): a table for codes of up to ten bits, and a search for longer ones.
//!
//! Bits of an entry: 0 to 5 are the length of its code with the extra bits, 8 to 11 the length of its code, 13 to 15 the
//! marks, 16 to 30 its value. The lowest six are a shift as they are: each look-up waits for the shift before it.

/// Codes of at most this many bits are found by one look-up.
const TABLE_BITS: u32 = 10;

/// Number of bits of the longest code.
const LONGEST: usize = 15;

/// The most symbols of an alphabet: literals and lengths.
pub(super) const MOST_SYMBOLS: usize = 288;

/// Mask of a number of bits: of those that an entry takes, or of those that are left.
pub(super) const ALL_BITS: u32 = 63;

/// Marks an entry whose value is a byte of the content.
pub(super) const LITERAL: u32 = 1 << 15;
/// Marks the entry that ends a block.
pub(super) const END: u32 = 1 << 14;
/// Marks an entry that no encoder may write, and bits that match no code.
pub(super) const INVALID: u32 = 1 << 13;

/// An entry without its code's length, with this value, to which `extra_bits` bits after the code are added.
pub(super) const fn entry(value: u32, extra_bits: u32) -> u32 {
    value << 16 | extra_bits
}

/// An entry with the length of its code.
const fn with_code(entry: u32, length: u32) -> u32 {
    entry + (length << 8 | length)
}

/// Number of bits of an entry's code and of its extra bits.
#[inline(always)]
pub(super) fn all_bits(entry: u32) -> u32 {
    entry & ALL_BITS
}

/// Value of an entry at the start of these bits, including its extra bits.
#[inline(always)]
pub(super) fn value(entry: u32, bits: u64) -> usize {
    let all = bits & !(u64::MAX << all_bits(entry));
    (entry >> 16) as usize + (all >> (entry >> 8 & 15)) as usize
}

/// A prefix code as entries.
pub(super) struct PrefixCode {
    /// Entries by the next bits; 0 for codes that are longer.
    table: [u32; 1 << TABLE_BITS],
    /// Entries without their lengths, by length and symbol.
    sorted: [u32; MOST_SYMBOLS],
    /// Number of codes of each length.
    counts: [u32; LONGEST + 1],
    /// The code after the last one in the table, and the number of codes in the table.
    after_table: (u32, u32),
}

impl PrefixCode {
    pub(super) const fn new() -> Self {
        Self {
            table: [0; 1 << TABLE_BITS],
            sorted: [0; MOST_SYMBOLS],
            counts: [0; LONGEST + 1],
            after_table: (0, 0),
        }
    }

    /// Builds the code from the lengths of its symbols' codes, 0 for none; returns whether deflate allows it.
    ///
    /// An incomplete code is allowed if it is empty, or if it is a single code of one bit and need not be complete.
    #[inline(never)]
    pub(super) fn set(&mut self, lengths: &[u8], must_be_complete: bool, entry_of: fn(u32) -> u32) -> bool {
        self.counts = [0; LONGEST + 1];
        for &length in lengths {
            self.counts[usize::from(length)] += 1;
        }
        self.counts[0] = 0;
        let mut starts = [0; LONGEST + 1];
        let mut left = 1_u32;
        let mut start = 0;
        for (length, &count) in self.counts.iter().enumerate().skip(1) {
            starts[length] = start;
            start += count;
            match (left * 2).checked_sub(count) {
                Some(rest) => left = rest,
                None => return false,
            }
        }
        let is_single = start == 1 && self.counts[1] == 1 && !must_be_complete;
        if left > 0 && start > 0 && !is_single {
            return false;
        }
        for (symbol, &length) in (0..).zip(lengths).filter(|(_, length)| **length > 0) {
            let place = &mut starts[usize::from(length)];
            self.sorted[*place as usize] = entry_of(symbol);
            *place += 1;
        }
        self.fill();
        true
    }

    fn fill(&mut self) {
        let (mut code, mut number) = (0_u32, 0);
        self.table[0] = 0;
        for length in 1..=TABLE_BITS {
            // After a shorter code, the next bit may be 0 or 1.
            let half = 1 << (length - 1);
            self.table.copy_within(..half, half);
            code *= 2;
            for _ in 0..self.counts[length as usize] {
                let first_bit_last = code.reverse_bits() >> (32 - length);
                self.table[first_bit_last as usize] = with_code(self.sorted[number as usize], length);
                code += 1;
                number += 1;
            }
        }
        self.after_table = (code, number);
    }

    /// The entry of the code at the start of these bits, lowest bit first.
    #[inline(always)]
    pub(super) fn find(&self, bits: u64) -> u32 {
        let entry = self.table[bits as usize % (1 << TABLE_BITS)];
        if entry == 0 { self.find_long(bits) } else { entry }
    }

    #[cold]
    #[inline(never)]
    fn find_long(&self, bits: u64) -> u32 {
        let mut code = (bits as u32).reverse_bits() >> (32 - TABLE_BITS);
        let (mut first, mut number) = self.after_table;
        for length in TABLE_BITS + 1..=LONGEST as u32 {
            code = code * 2 + (bits >> (length - 1) & 1) as u32;
            first *= 2;
            let count = self.counts[length as usize];
            if code.wrapping_sub(first) < count {
                return with_code(self.sorted[(number + code - first) as usize], length);
            }
            first += count;
            number += count;
        }
        INVALID
    }
}
