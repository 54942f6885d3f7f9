//! Numbers, texts and bytes one after the other: how jobs and what comes of them travel to another instance and back.
//!
//! Invariant: what is unpacked in the order in which it was packed is what was packed; where bytes are missing, the
//! answer is nothing, and never more memory than there are bytes.

/// Things being packed.
#[derive(Debug, Default)]
pub(super) struct Packer(Vec<u8>);

/// Things being unpacked.
#[derive(Debug)]
pub(super) struct Unpacker<'a>(&'a [u8]);

impl Packer {
    /// Packs a number.
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    /// Packs numbers, and how many there are.
    pub(super) fn numbers(&mut self, numbers: impl ExactSizeIterator<Item = u64>) -> &mut Self {
        self.number(numbers.len() as u64);
        numbers.for_each(|number| {
            self.number(number);
        });
        self
    }

    /// Packs bytes, and how many there are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        self.raw(bytes)
    }

    /// Packs bytes whose number the reader knows.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend(bytes);
        self
    }

    /// What was packed.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// A number of things in memory.
    pub(super) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// What [`Packer::numbers`] packed.
    pub(super) fn numbers(&mut self) -> Option<Vec<u64>> {
        let count = self.length()?;
        let numbers = self.raw(count.checked_mul(8)?)?.as_chunks().0;
        Some(numbers.iter().map(|number| u64::from_le_bytes(*number)).collect())
    }

    /// What [`Packer::bytes`] packed.
    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.length()?;
        self.raw(count)
    }

    /// So many bytes.
    pub(super) fn raw(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }
}
