//! The order of requests: how urgent they are, whose turn it is, and which of them go together.

/// How soon something is wanted: now, or some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// Somebody waits for it.
    Now,
    /// It may be wanted later.
    Later,
}

/// How ranges of one value become one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// The most bytes between two ranges that are fetched for nothing.
    pub gap: u64,
    /// The most bytes of a request that joins several ranges.
    pub most: u64,
}

/// A reader's place in the order of turns.
#[derive(Debug, Default, Clone, Copy)]
pub struct Turn(pub(super) u64);
