//! Doubt about a failure that may mean "missing", and the question to the host that settles it.

use super::{HttpFailure, Method, RetryAfter};
use crate::source::ByteRange;

/// A failure in doubt, and the request that is sent to settle it.
#[derive(Debug)]
pub(super) struct Doubt {
    pub(super) failure: HttpFailure,
    pub(super) retry: Option<RetryAfter>,
    /// Key, method and range of the request that failed.
    pub(super) key: String,
    pub(super) method: Method,
    pub(super) range: ByteRange,
    pub(super) question: Question,
}

/// Question that a request is sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Does the host answer at all, though without CORS headers?
    IsThere,
    /// Does the host still give a value that it gave before?
    Witness,
    /// How does the host answer for a document that cannot exist?
    Nothing,
}

impl Doubt {
    /// Whether the request goes without CORS.
    pub(super) fn is_blind(&self) -> bool {
        self.question == Question::IsThere
    }
}
