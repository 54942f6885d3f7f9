//! A request that is sent now, and the support for ranges that it depends on.

use crate::source::Request;

/// A source's support for ranges, as far as it has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeSupport {
    /// Whether it has answered one, so that no trial is needed.
    pub is_known: bool,
    /// Whether a part of a value brings the whole value.
    pub is_ignored: bool,
}

/// A request to send now.
#[derive(Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Number of the flight, by which its end is told.
    pub flight: u64,
    /// The request, or the first one of a run.
    pub request: Request,
    /// The number of requests of the run; nothing where the request is no part of a run.
    pub run: Option<u64>,
    /// The most bytes that a whole value may have.
    pub most: u64,
    /// Whether others wait until it shows what the host makes of ranges.
    pub is_trial: bool,
}
