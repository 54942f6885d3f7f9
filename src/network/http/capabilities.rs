//! Host capabilities: how a host treats ranges, suffixes and HEAD, learned from its answers.
//!
//! Invariant: a refusal is noted only after another request for the same bytes has worked. Otherwise a network that is
//! down would look like a host without suffixes.

/// Bytes that the end of a value of guessed length may have beyond twice the expected number: 64 KiB.
const END_ALLOWANCE: u64 = 64 << 10;

/// Capabilities of one host, and the value lengths from which the next one is guessed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostCapabilities {
    ranges: RangeAnswer,
    head: HeadSupport,
    misreads_suffixes: bool,
    refuses_suffixes: bool,
    reads_suffixes: bool,
    /// Length of the last two values, where both had the same.
    usual_length: Option<u64>,
    last_length: Option<u64>,
}

/// How a host answered the last range request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum RangeAnswer {
    #[default]
    Unknown,
    Honoured,
    /// The host sent the whole value.
    Ignored,
}

/// How a host treats HEAD.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum HeadSupport {
    #[default]
    Unknown,
    /// HEAD was right before, so its 404 is believed.
    Trusted,
    /// HEAD gives no length, or 404 for values that exist.
    Useless,
}

impl HostCapabilities {
    /// Notes the answer to a range request: the whole value, or a part of it.
    pub fn note_range(&mut self, is_whole: bool) {
        self.ranges = if is_whole { RangeAnswer::Ignored } else { RangeAnswer::Honoured };
    }

    /// Notes that a suffix range brought other bytes, and the value's length where the answer has it.
    pub fn note_misread_suffix(&mut self, length: Option<u64>) {
        self.misreads_suffixes = true;
        match length {
            Some(length) => self.note_length(length),
            None => self.refuses_suffixes = true,
        }
    }

    /// Notes that a suffix range brought the end of a value.
    pub fn note_read_suffix(&mut self) {
        self.reads_suffixes = true;
    }

    /// Notes that a suffix range failed, and another request for the same bytes worked.
    pub fn note_refused_suffix(&mut self) {
        self.refuses_suffixes = true;
    }

    /// Notes that an answer to HEAD was right: a length, or that nothing is stored.
    pub fn note_trusted_head(&mut self) {
        self.head = HeadSupport::Trusted;
    }

    /// Notes that HEAD does not help to find the end of a value.
    pub fn note_useless_head(&mut self) {
        self.head = HeadSupport::Useless;
    }

    /// Notes the length of a value; once two in a row agree, the next value is expected to have it too.
    pub fn note_length(&mut self, length: u64) {
        self.usual_length = Some(length).filter(|_| self.last_length == Some(length));
        self.last_length = Some(length);
    }

    /// Notes that a value did not have the usual length.
    pub fn forget_usual_length(&mut self) {
        self.usual_length = None;
    }

    /// Whether a range request was ever answered.
    #[must_use]
    pub fn knows_ranges(&self) -> bool {
        self.ranges != RangeAnswer::Unknown
    }

    /// Whether the last range request brought the whole value.
    #[must_use]
    pub fn ignores_ranges(&self) -> bool {
        self.ranges == RangeAnswer::Ignored
    }

    /// Whether a suffix range brought other bytes of a value.
    #[must_use]
    pub fn misreads_suffixes(&self) -> bool {
        self.misreads_suffixes
    }

    /// Whether a suffix range brought the end of a value.
    #[must_use]
    pub fn reads_suffixes(&self) -> bool {
        self.reads_suffixes
    }

    /// Whether suffix ranges fail: their preflight or they themselves are refused, or they are misread and no length
    /// is known.
    #[must_use]
    pub fn refuses_suffixes(&self) -> bool {
        self.refuses_suffixes
    }

    /// Whether HEAD is believed when it says that nothing is stored.
    #[must_use]
    pub fn trusts_head(&self) -> bool {
        self.head == HeadSupport::Trusted
    }

    /// Whether HEAD is not worth a request.
    #[must_use]
    pub fn skips_head(&self) -> bool {
        self.head == HeadSupport::Useless
    }

    /// Start of the last `bytes` bytes of a value of the usual length; `None` where no length is usual.
    #[must_use]
    pub fn usual_start(&self, bytes: u64) -> Option<u64> {
        self.usual_length?.checked_sub(bytes)
    }

    /// Most bytes to accept from `start` to the end of a value whose length was guessed.
    #[must_use]
    pub fn longest_end(&self, start: u64) -> u64 {
        let usual = self.usual_length.unwrap_or(start);
        usual.saturating_sub(start).saturating_mul(2).saturating_add(END_ALLOWANCE)
    }
}
