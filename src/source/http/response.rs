//! The verdict on a response: the requested bytes, the whole value, nothing stored, or none of these.

use super::{HttpHost, RetryAfter, ValueVersion, VersionMatch, requested_delay};
use crate::source::{ByteRange, ContentRange, Served};

/// Head of a response: its status, and the headers that matter here and may be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResponseHead {
    /// HTTP status; 0 where the platform hides it.
    pub status: u16,
    /// Whether the response is a redirect whose details the platform hides.
    pub is_opaque_redirect: bool,
    /// `Location`.
    pub location: Option<String>,
    /// `Content-Range`.
    pub content_range: Option<String>,
    /// `Content-Length`, where it is a number.
    pub content_length: Option<u64>,
    /// Whether `Content-Type` is `text/html`.
    pub is_html: bool,
    /// `ETag`.
    pub tag: Option<String>,
    /// `Last-Modified`.
    pub date: Option<String>,
    /// Milliseconds that `Retry-After` asks for.
    pub delay: f64,
}

/// Verdict on a response, by its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The body holds the requested bytes.
    Asked,
    /// The body is the whole value, although a part was requested.
    Whole,
    /// Nothing is stored.
    Missing,
    /// The body is another part of the value than the requested suffix; the value's length, where it is known.
    Misread(Option<u64>),
    /// The answer has another ETag than the one before, and the same date: another version, or another machine.
    OtherTag,
    /// The body is unusable, for this reason.
    Refused(&'static str),
}

impl ResponseHead {
    /// Parses lines: the status, the type that `fetch` gives a response, and the values of `Location`, `Content-Range`,
    /// `Content-Length`, `Content-Type`, `ETag`, `Last-Modified` and `Retry-After`, empty where there is none. `until`
    /// gives the milliseconds until an HTTP date, NaN for any other text.
    #[must_use]
    pub fn parse(lines: &str, until: impl FnOnce(&str) -> f64) -> Self {
        let mut lines = lines.split('\n');
        let mut next = || lines.next().filter(|line| !line.is_empty());
        Self {
            status: next().and_then(|status| status.parse().ok()).unwrap_or_default(),
            is_opaque_redirect: next() == Some("opaqueredirect"),
            location: next().map(str::to_owned),
            content_range: next().map(str::to_owned),
            content_length: next().and_then(|length| length.parse().ok()),
            is_html: next().is_some_and(|kind| kind.starts_with("text/html")),
            tag: next().map(str::to_owned),
            date: next().map(str::to_owned),
            delay: next().map_or(0.0, |header| requested_delay(header, until)),
        }
    }

    /// Delay before a retry; `None` where the status is permanent.
    #[must_use]
    pub fn retry_after(&self) -> Option<RetryAfter> {
        RetryAfter::of_status(self.status, self.delay)
    }
}

impl HttpHost {
    /// Verdict by the status alone: missing or refused; `None` for a success.
    #[must_use]
    pub fn verdict_on_status(&self, status: u16) -> Option<Verdict> {
        if self.policy.missing_statuses.contains(&status) {
            return Some(Verdict::Missing);
        }
        (!(200..=299).contains(&status)).then(|| Verdict::Refused(refusal(status)))
    }

    /// Verdict on the response to a GET request; notes the host's capabilities and the value's version.
    pub fn verdict(&mut self, key: &str, asked: &ByteRange, head: &ResponseHead) -> Verdict {
        if let Some(verdict) = self.verdict_on_status(head.status) {
            return verdict;
        }
        let is_partial = head.status == 206;
        let told = head.content_range.as_deref().and_then(ContentRange::parse);
        let served = told.filter(|_| is_partial).map(|told| told.served(asked));
        if *asked == ByteRange::All {
            let is_all = if is_partial { served == Some(Served::Asked) } else { true };
            return if is_all { Verdict::Asked } else { Verdict::Refused(PART_OF_ALL) };
        }
        // A host that ignores ranges answers 200 with the whole value.
        self.capabilities.note_range(!is_partial);
        if head.is_html {
            return Verdict::Refused(
                "an HTML page came: some hosts send one, with status 200, for files that do not exist",
            );
        }
        let length = told.and_then(|told| told.total);
        let version = ValueVersion { tag: head.tag.clone(), date: head.date.clone(), length };
        match self.versions.accept(key, version) {
            VersionMatch::Same => {}
            VersionMatch::OtherTag => return Verdict::OtherTag,
            VersionMatch::Changed => return Verdict::Refused(CHANGED),
        }
        match (served, asked) {
            (Some(Served::Other), ByteRange::Suffix(_)) => {
                let length = told.and_then(|told| told.total);
                self.capabilities.note_misread_suffix(length);
                Verdict::Misread(length)
            }
            (Some(Served::Other), _) => Verdict::Refused(ANOTHER_PART),
            (Some(Served::Asked) | None, _) if is_partial => Verdict::Asked,
            _ => Verdict::Whole,
        }
    }
}

/// Reason where a value is of another version than before.
pub(super) const CHANGED: &str = "the value changed while it was read; read again, or refresh() the array";

const PART_OF_ALL: &str = "expected the whole value, received a part of it; check caches and proxies on the way, \
                           and that the option headers has no Range";

/// Reason where a range request brought other bytes.
pub(super) const ANOTHER_PART: &str =
    "received another part of the value than requested; the host does not support ranges";

/// Meaning of an HTTP status for a reader of Zarr, and what to try.
fn refusal(status: u16) -> &'static str {
    match status {
        401 => "the host requires authentication; pass headers, credentials or a fetch that signs requests",
        403 => {
            "the host denies access; many buckets answer 403 for keys that do not exist: \
             if this one does, pass missingStatuses: [403, 404], else check the permissions"
        }
        416 => "the value is shorter than its index says",
        404 | 410 => "nothing is there, and missingStatuses does not list this status",
        429 => {
            "the host limits the rate of requests, after the retries too; lower concurrency and try again later"
        }
        500..=599 => "the host failed, and again at each retry; try again later",
        _ => "the host did not answer with the bytes",
    }
}
