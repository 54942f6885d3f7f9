//! A reader of whole numbers of 0 to 32 bits, most significant bit first.

/// Bits of some bytes, read from the front.
#[derive(Debug, Clone)]
pub struct Bits<'a> {
    bytes: &'a [u8],
    /// The next bit, counted from the first one.
    at: u64,
}

impl<'a> Bits<'a> {
    /// A reader of all bits of these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next number of `width` bits, at most 32; `None` where fewer bits are left.
    #[inline]
    pub fn number(&mut self, width: u32) -> Option<u32> {
        let word = self.word();
        self.skip(width)?;
        Some(if width == 0 { 0 } else { (word >> (64 - width)) as u32 })
    }

    /// The number of zeros before the next one bit, which is read too; `None` where no one bit is left.
    #[inline]
    pub fn zeros(&mut self) -> Option<u32> {
        let mut zeros = 0;
        loop {
            let word = self.word();
            // A word holds at least 57 bits that are valid; those behind them are zeros.
            let leading = word.leading_zeros();
            if leading < u64::BITS {
                self.skip(leading + 1)?;
                return Some(zeros + leading);
            }
            self.skip(57)?;
            zeros += 57;
        }
    }

    /// Moves on to the next whole byte.
    pub const fn align(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }

    /// The bytes from the next whole byte on.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at.div_ceil(8) as usize..).unwrap_or_default()
    }

    /// The next bits at the upper end of a word; bits behind the last byte are zeros.
    #[inline]
    fn word(&self) -> u64 {
        let rest = self.bytes.get((self.at / 8) as usize..).unwrap_or_default();
        let word = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut tail = [0; 8];
            tail.iter_mut().zip(rest).for_each(|(into, byte)| *into = *byte);
            tail
        });
        u64::from_be_bytes(word) << (self.at % 8)
    }

    /// Moves on by some bits, or says that there are too few.
    #[inline]
    fn skip(&mut self, bits: u32) -> Option<()> {
        self.at += u64::from(bits);
        (self.at <= self.bytes.len() as u64 * 8).then_some(())
    }
}
