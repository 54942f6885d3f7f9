//! Messages between a request's state machine and the driver that sends it: commands out, events in.

use super::{RedirectTarget, ResponseHead};
use crate::network::ByteRange;

/// Command to the driver, which answers each one with an event that its description names.
#[derive(Debug, Clone, PartialEq)]
pub enum HttpCommand {
    /// Send a request: [`HttpEvent::Head`], `Failed` or `Thrown`.
    Send(RequestHead),
    /// Resolve the address of a redirect, to which the next request goes: [`HttpEvent::Target`].
    Resolve(String),
    /// Read the body, up to this many bytes: [`HttpEvent::Body`], `TooLong`, `Failed` or `Thrown`.
    Read(u64),
    /// Cancel the body: [`HttpEvent::Ready`].
    Leave,
    /// End the exchange and report it to the caller's listener: [`HttpEvent::Ready`].
    Report {
        /// HTTP status of the final response; `None` where there was none.
        status: Option<u16>,
        /// Bytes of the value that were received; `None` where the exchange failed or nothing is stored.
        bytes: Option<u64>,
    },
    /// Wait this many milliseconds: [`HttpEvent::Ready`].
    Wait(f64),
    /// The request is finished, with this result.
    Done(HttpResult),
}

/// Result of a request: its bytes, `None` where nothing is stored, or a failure.
pub type HttpResult = Result<Option<ReceivedBytes>, HttpFailure>;

/// Event from the driver.
#[derive(Debug, Clone, PartialEq)]
pub enum HttpEvent {
    /// The last command was carried out.
    Ready,
    /// A response arrived; its body may follow.
    Head(ResponseHead),
    /// The target of a redirect is resolved.
    Target(RedirectTarget),
    /// The whole body arrived, with this many bytes.
    Body(u64),
    /// The body is longer than its limit or than its header announced; the text is the reason.
    TooLong(String),
    /// The network failed, or no byte of a body arrived for too long; the text is the reason.
    Failed(String),
    /// No response arrived in time; the text is the reason.
    Late(String),
    /// The driver holds an exception to throw as it is; a retry would meet it again.
    Thrown,
    /// The request was aborted.
    Aborted,
}

/// HTTP method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// GET.
    Get,
    /// HEAD.
    Head,
}

impl Method {
    /// Name of the method in HTTP.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
        }
    }
}

/// Use of the browser's HTTP cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheMode {
    /// As the response headers say.
    Default,
    /// With a conditional request, so an unchanged value is not sent again.
    Revalidate,
    /// Without the cache: in the default mode, browsers send range requests for one URL one after the other.
    Bypass,
}

/// Method, headers and cache mode of a request; the driver knows the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestHead {
    /// HTTP method.
    pub method: Method,
    /// Header `Range`.
    pub range: Option<String>,
    /// Use of the browser's HTTP cache.
    pub cache: CacheMode,
    /// Whether the caller's headers are sent.
    pub carries_headers: bool,
    /// Whether the request goes without CORS (mode `no-cors`): any answer shows that the host is there, and no more.
    pub is_blind: bool,
}

/// Bytes that a request received; the driver holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceivedBytes {
    /// The requested bytes, as a part of the last body.
    Part {
        /// Bytes of the body to skip.
        skip: u64,
        /// Number of the requested bytes.
        length: u64,
    },
    /// The last body is the whole value, although a part was requested; its length.
    Whole(u64),
    /// A value that is stored, and whose body was not read.
    Unread,
    /// Length of a value from HEAD; `None` where the host sent none.
    Length(Option<u64>),
}

/// Failure of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpFailure {
    /// The driver holds an exception to throw as it is.
    Thrown,
    /// A failure with a reason.
    Told {
        /// HTTP status, where there was a response.
        status: Option<u16>,
        /// Reason, and what to try.
        reason: String,
    },
}

impl HttpFailure {
    pub(super) fn told(status: u16, reason: impl Into<String>) -> Self {
        Self::Told { status: Some(status).filter(|status| *status > 0), reason: reason.into() }
    }
}

/// Length of the placeholder for a value that is stored and whose body was not read.
pub const UNREAD_BYTES: u32 = 2;

impl ReceivedBytes {
    /// Number of bytes of the value that were received.
    #[must_use]
    pub fn bytes(self) -> u64 {
        match self {
            Self::Part { length, .. } | Self::Whole(length) => length,
            Self::Unread => UNREAD_BYTES.into(),
            Self::Length(_) => 0,
        }
    }
}

/// Text of the `Range` header for a byte range; `None` for the whole value.
#[must_use]
pub fn range_header(range: &ByteRange) -> Option<String> {
    match range {
        ByteRange::All => None,
        ByteRange::Span(span) | ByteRange::UpTo(span) => {
            Some(format!("bytes={}-{}", span.start, span.end.saturating_sub(1)))
        }
        ByteRange::From(start) => Some(format!("bytes={start}-")),
        ByteRange::Suffix(bytes) => Some(format!("bytes=-{bytes}")),
    }
}
