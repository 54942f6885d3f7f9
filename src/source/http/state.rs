//! The state of an HTTP request between two events.

use super::body::BodyPlan;
use super::{HttpResult, Method, RedirectTrail, RetryAfter};
use crate::source::{ByteRange, Request};

/// A request for a value or a part of it, with everything that it takes to get an answer.
#[derive(Debug)]
pub struct HttpRequest {
    /// The range that the caller wants.
    pub(super) wanted: ByteRange,
    /// The key, and the range that is asked for at present.
    pub(super) asked: Request,
    pub(super) method: Method,
    /// Bytes that a whole value may have.
    pub(super) most: u64,
    /// The reason why that range is asked for.
    pub(super) step: SuffixStep,
    /// Whether HEAD is useless if the end of the value is found without it.
    pub(super) doubts_head: bool,
    pub(super) stage: RequestStage,
    pub(super) exchange: ExchangeFacts,
    /// Repetitions of the present question.
    pub(super) repetition: u32,
}

/// The command that was given last, and what follows it.
#[derive(Debug)]
pub(super) enum RequestStage {
    /// None, or a wait.
    Idle,
    Sent,
    /// The body of a redirect is let go of.
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

/// Facts of one exchange, from the first request of it to its report.
#[derive(Debug, Default)]
pub(super) struct ExchangeFacts {
    pub(super) trail: RedirectTrail,
    pub(super) status: Option<u16>,
    pub(super) retry: Option<RetryAfter>,
    /// Length of a value of whose end another part came.
    pub(super) misread_length: Option<u64>,
}

/// The reason for the range that is asked for on the way to the end of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SuffixStep {
    /// It is the range that the caller wants.
    Direct,
    /// Everything from there on, as the value is expected to be as long as others.
    Guess(u64),
    /// HEAD, for the length.
    Length,
    /// One byte, as HEAD says that nothing is stored, and is not known to be right.
    Existence,
    /// The end by its place, the length being known.
    Place,
    /// The suffix, in spite of its preflight.
    Suffix,
    /// The whole value, as its suffix failed.
    WholeInstead,
    /// The whole value, as the host ignores ranges.
    Whole,
}
