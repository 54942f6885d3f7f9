//! A response: its head and `Content-Range`, the verdicts that it can lead to, redirects, and when to try again.
//!
//! Invariant: permanent answers (a refusal, a missing value, an abort) are never retried; a host's `Retry-After` is
//! respected. Outside browsers, the caller's headers go only to the origin that they were given for. Browsers hide the
//! target of a redirect; they follow it themselves, and keep all headers except Authorization.

use crate::network::ByteRange;

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

/// Reason where a value is of another version than before.
pub(super) const CHANGED: &str = "the value changed while it was read; read again, or refresh() the array";

/// Reason where a part came although the whole value was requested.
pub(super) const PART_OF_ALL: &str = "expected the whole value, received a part of it; check caches and proxies on the way, \
                           and that the option headers has no Range";

/// Reason where a range request brought other bytes.
pub(super) const ANOTHER_PART: &str =
    "received another part of the value than requested; the host does not support ranges";

/// Meaning of an HTTP status for a reader of Zarr, and what to try.
pub(super) fn refusal(status: u16) -> &'static str {
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

/// Byte range of a response, from its `Content-Range` header (RFC 9110, 14.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentRange {
    /// Index of the first byte.
    pub start: u64,
    /// Index of the byte after the last one.
    pub end: u64,
    /// Length of the whole value in bytes; `None` where the host sends `*`.
    pub total: Option<u64>,
}

/// Relation of the bytes of a 206 response to the requested range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// The requested range.
    Asked,
    /// The whole value.
    Whole,
    /// Another range.
    Other,
}

impl ContentRange {
    /// Parses `bytes 0-99/1000` and `bytes 0-99/*`; `None` where the header is neither, or contradicts itself.
    #[must_use]
    pub fn parse(header: &str) -> Option<Self> {
        let (unit, told) = header.trim().split_once(' ')?;
        let (span, total) = told.trim().split_once('/')?;
        let (start, last) = span.split_once('-')?;
        let total = if total == "*" { None } else { Some(total.parse().ok()?) };
        let (start, end) = (start.parse().ok()?, last.parse::<u64>().ok()?.checked_add(1)?);
        let is_range =
            unit.eq_ignore_ascii_case("bytes") && start < end && total.is_none_or(|total| end <= total);
        is_range.then_some(Self { start, end, total })
    }

    /// Compares this range with the requested one. A range that begins where it should and ends early counts as
    /// [`Served::Asked`]: the check of the body's length reports it.
    #[must_use]
    pub fn served(self, asked: &ByteRange) -> Served {
        let Self { start, end, total } = self;
        let ends_value = total.is_none_or(|total| total == end);
        let is_asked = match asked {
            ByteRange::All => start == 0 && total == Some(end),
            ByteRange::Span(span) | ByteRange::UpTo(span) => start == span.start && end <= span.end,
            ByteRange::From(first) => start == *first && ends_value,
            // A value shorter than the suffix is sent whole.
            ByteRange::Suffix(bytes) => ends_value && (end - start == *bytes || start == 0 && end < *bytes),
        };
        match (is_asked, start, total) {
            (true, ..) => Served::Asked,
            (false, 0, Some(total)) if total == end => Served::Whole,
            _ => Served::Other,
        }
    }
}

/// Milliseconds before the first retry; each further one waits twice as long, plus or minus a half.
const FIRST_WAIT: f64 = 200.0;

/// Longest wait without a `Retry-After`, in milliseconds, before the random factor.
const LONGEST_WAIT: f64 = 10_000.0;

/// Longest `Retry-After` that is respected: a minute. A host that asks for more gets no retry.
const LONGEST_HEEDED: f64 = 60_000.0;

/// A retry after at least this many milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryAfter(f64);

impl RetryAfter {
    /// Retry after a network fault.
    pub const SOON: Self = Self(0.0);

    /// Retry after an HTTP status, with the delay that the host asks for; `None` where the status is permanent.
    #[must_use]
    pub fn of_status(status: u16, delay: f64) -> Option<Self> {
        let may_pass = status == 429 || (500..=599).contains(&status);
        (may_pass && delay <= LONGEST_HEEDED).then_some(Self(delay))
    }

    /// Milliseconds before retry number `repetition`, from 0; `chance` is a random number from 0 to 1, so that pages
    /// that failed together do not retry together.
    #[must_use]
    pub fn wait(self, repetition: u32, chance: f64) -> f64 {
        let doubled = FIRST_WAIT * f64::from(1_u32 << repetition.min(16));
        (doubled.min(LONGEST_WAIT) * (0.5 + chance)).max(self.0)
    }
}

/// Milliseconds that a `Retry-After` header asks for, in seconds or as a date; 0 where it is neither. `until` gives the
/// milliseconds until an HTTP date, NaN for any other text.
pub fn requested_delay(header: &str, until: impl FnOnce(&str) -> f64) -> f64 {
    let delay = match header.trim().parse::<u32>() {
        Ok(seconds) => f64::from(seconds) * 1000.0,
        Err(_) => until(header),
    };
    if delay.is_finite() { delay.max(0.0) } else { 0.0 }
}

/// Most redirects that one request follows: 20, as in `fetch`.
pub const MAX_REDIRECTS: u32 = 20;

/// Verdict on a response as a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirect {
    /// No redirect, or one that `fetch` follows.
    No,
    /// A redirect that is forbidden, for this reason.
    Forbidden(&'static str),
    /// A redirect to this address, which may be relative.
    To(String),
}

/// Target of a redirect, relative to the request's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectTarget {
    /// An address of the same origin.
    SameOrigin,
    /// An address of another origin, to which the caller's headers do not go.
    OtherOrigin,
    /// An address that is not HTTP or HTTPS.
    Unusable,
}

/// Redirects that one request has followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RedirectTrail {
    /// Whether the caller's headers are still sent.
    pub carries_headers: bool,
    hops: u32,
}

impl Default for RedirectTrail {
    fn default() -> Self {
        Self { carries_headers: true, hops: 0 }
    }
}

impl RedirectTrail {
    /// Follows a redirect to its target.
    ///
    /// # Errors
    /// A reason, where the target is not HTTP or HTTPS, or after [`MAX_REDIRECTS`] redirects.
    pub fn follow(&mut self, target: RedirectTarget) -> Result<(), &'static str> {
        if target == RedirectTarget::Unusable {
            return Err("the host redirects to an address that is not http: or https:");
        }
        if self.hops == MAX_REDIRECTS {
            return Err("the host redirects more than 20 times");
        }
        self.hops += 1;
        self.carries_headers &= target == RedirectTarget::SameOrigin;
        Ok(())
    }
}
