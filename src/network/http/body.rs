//! The body of a response: its length limit, and what its length shows about the host.

use super::{HostCapabilities, HttpEvent, HttpFailure, HttpResult, ReceivedBytes, ResponseHead, RetryAfter};
use crate::network::ByteRange;

/// Expectations of a body, from the head of its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BodyPlan {
    is_whole: bool,
    limit: u64,
    /// Whether the limit is the length of the requested range.
    is_exact: bool,
    /// Whether the `Content-Range` header is missing or hidden from other origins.
    is_place_hidden: bool,
    announced: Option<u64>,
}

impl BodyPlan {
    /// Plans the body of the answer to a range; a whole value may have `most` bytes.
    pub(super) fn new(
        asked: &ByteRange,
        is_whole: bool,
        most: u64,
        head: &ResponseHead,
        host: &HostCapabilities,
    ) -> Self {
        let (limit, is_exact) = match asked {
            ByteRange::Span(span) | ByteRange::UpTo(span) if !is_whole => (span.end - span.start, true),
            ByteRange::Suffix(bytes) if !is_whole => (*bytes, true),
            ByteRange::From(start) if !is_whole => (host.longest_end(*start), false),
            _ => (most, false),
        };
        let is_place_hidden = head.content_range.is_none();
        Self { is_whole, limit, is_exact, is_place_hidden, announced: head.content_length }
    }

    /// Most bytes that the body may have.
    pub(super) fn limit(self) -> u64 {
        self.limit
    }

    /// Gives the result of reading the body, and whether to retry the request; notes a suffix that the host misread.
    pub(super) fn end(
        self,
        status: u16,
        asked: &ByteRange,
        event: HttpEvent,
        host: &mut HostCapabilities,
    ) -> (HttpResult, Option<RetryAfter>) {
        // A body that is too long counts by the length that its header announced.
        let length = match &event {
            HttpEvent::Body(length) => Some(*length),
            HttpEvent::TooLong(_) => self.announced,
            _ => None,
        };
        let is_misread = match (asked, length) {
            (ByteRange::Suffix(bytes), Some(length)) => {
                !self.is_whole && self.is_place_hidden && length != *bytes
            }
            _ => false,
        };
        if is_misread {
            host.note_misread_suffix(None);
        }
        match event {
            HttpEvent::Body(length) if self.is_whole => (Ok(Some(ReceivedBytes::Whole(length))), None),
            HttpEvent::Body(length) => (Ok(Some(ReceivedBytes::Part { skip: 0, length })), None),
            HttpEvent::TooLong(reason) => {
                // A response that breaks off may have announced more than the range.
                let is_lost = self.is_exact && !is_misread && length > Some(self.limit);
                (Err(HttpFailure::told(status, reason)), is_lost.then_some(RetryAfter::SOON))
            }
            HttpEvent::Failed(message) => {
                let reason = format!("the response broke off ({message}); try again");
                (Err(HttpFailure::told(status, reason)), Some(RetryAfter::SOON))
            }
            _ => (Err(HttpFailure::Thrown), None),
        }
    }
}
