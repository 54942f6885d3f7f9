//! State of an HTTP request between two events.

use super::body::BodyPlan;
use super::question::Doubt;
use super::{HttpFailure, HttpResult, Method, RedirectTrail, RetryAfter};
use crate::source::{ByteRange, Request};

/// State machine of one request for a value or a part of it: retries, redirects and the search for a value's end.
#[derive(Debug)]
pub struct HttpRequest {
    /// Range that the caller wants.
    pub(super) wanted: ByteRange,
    /// Key and byte range of the current exchange.
    pub(super) asked: Request,
    pub(super) method: Method,
    /// Most bytes that a whole value may have.
    pub(super) most: u64,
    /// Reason for the range of the current exchange.
    pub(super) step: SuffixStep,
    /// Whether HEAD failed, so that it is noted as useless once the end of the value is found without it.
    pub(super) doubts_head: bool,
    /// Failure of the suffix range, on a host that may refuse such ranges.
    pub(super) suffix_failure: Option<HttpFailure>,
    /// Doubt that is being settled: whether a failure means that nothing is stored.
    pub(super) doubt: Option<Doubt>,
    /// Whether the current exchange, or the one that it repeats, had no response.
    pub(super) is_lost: bool,
    /// Whether the host was asked if it is there.
    pub(super) has_looked: bool,
    /// Whether this value's answer lacks CORS headers, as far as is known.
    pub(super) is_bare: bool,
    /// Whether an answer showed that something is stored.
    pub(super) exists: bool,
    /// Status of the failure that seems to mean that nothing is stored: the value is requested for the last time.
    pub(super) doubted: Option<Option<u16>>,
    /// Requests that were sent again because the answer had another ETag.
    pub(super) tag_requests: u32,
    /// ETag that was noted when an answer had another one for the first time.
    pub(super) noted_tag: Option<String>,
    pub(super) stage: RequestStage,
    pub(super) exchange: ExchangeFacts,
    /// Retries of the current exchange so far.
    pub(super) repetition: u32,
}

/// Last command to the driver, with the data for the step after it.
#[derive(Debug)]
pub(super) enum RequestStage {
    /// No command yet, or a wait.
    Idle,
    Sent,
    /// The body of a redirect is being cancelled.
    Redirected {
        status: u16,
        location: String,
    },
    Resolving {
        status: u16,
    },
    Reading(BodyPlan),
    Leaving(HttpResult),
    Reported(HttpResult),
}

/// Facts of one exchange, from its first request to its report.
#[derive(Debug, Default)]
pub(super) struct ExchangeFacts {
    pub(super) trail: RedirectTrail,
    pub(super) status: Option<u16>,
    pub(super) retry: Option<RetryAfter>,
    /// Length of a value whose suffix the host misread.
    pub(super) misread_length: Option<u64>,
    /// Whether the answer has another ETag than the one noted, and nothing else shows another version.
    pub(super) has_other_tag: bool,
    /// Whether no response arrived in time.
    pub(super) is_late: bool,
}

/// Steps on the way to the end of a value, each with its own request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SuffixStep {
    /// The range that the caller wants.
    Direct,
    /// Everything from this byte on, because the value is expected to have the usual length.
    Guess(u64),
    /// HEAD, for the value's length.
    Length,
    /// One byte, because HEAD says that nothing is stored and is not trusted yet.
    Existence,
    /// One byte, because the status for the suffix range may stand for a missing value or for a refused range.
    Presence,
    /// The end by its position, from the known length.
    Place,
    /// The end by its position, from the length that HEAD gave, with one byte more, which must not exist.
    Measured(u64),
    /// The suffix range, in spite of its preflight.
    Suffix,
    /// The whole value, because its suffix range failed.
    WholeInstead,
    /// The whole value, because the host ignores ranges.
    Whole,
}
