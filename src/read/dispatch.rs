//! A request that is sent now, and the support for ranges that it depends on.

use crate::source::Request;

/// Support of a source for byte ranges, as far as its answers have shown it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeSupport {
    /// Whether it has answered a range request, so that no trial is needed.
    pub is_known: bool,
    /// Whether it ignores ranges and sends the whole value for each.
    pub is_ignored: bool,
}

/// A request to send now.
#[derive(Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Number of the flight, to be passed to `RequestScheduler::finish`.
    pub flight: u64,
    /// The request, or the first one of a run.
    pub request: Request,
    /// Number of requests of the run; `None` if the request is not part of a run.
    pub run: Option<u64>,
    /// Most bytes that a whole value may have.
    pub most: u64,
    /// Whether other requests wait until its answer shows whether the host supports ranges.
    pub is_trial: bool,
}
