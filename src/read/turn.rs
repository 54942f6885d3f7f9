//! The order of requests: how urgent they are, whose turn it is, and which of them go together.

/// Urgency of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// A read waits for it.
    Now,
    /// A later read may need it.
    Later,
}

/// Limits for joining ranges of one value into one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// Most unneeded bytes that are fetched between two ranges.
    pub gap: u64,
    /// Most bytes of a request that joins several ranges.
    pub most: u64,
}

/// A reader's place in the order of turns.
#[derive(Debug, Default, Clone, Copy)]
pub struct Turn(pub(super) u64);
