//! The words between a request's state machine and the driver that sends it: commands out, events in.

use super::{RedirectTarget, ResponseHead};
use crate::source::ByteRange;

/// The next thing that a driver does; it answers each command with the event named there.
#[derive(Debug, Clone, PartialEq)]
pub enum HttpCommand {
    /// Send a request: [`HttpEvent::Head`], `Failed` or `Thrown`.
    Send(RequestHead),
    /// Resolve the address of a redirect, to which the next request goes: [`HttpEvent::Target`].
    Resolve(String),
    /// Read the body, of so many bytes at the most: [`HttpEvent::Body`], `TooLong`, `Failed` or `Thrown`.
    Read(u64),
    /// Let go of the body: [`HttpEvent::Ready`].
    Leave,
    /// End the exchange and tell the caller's listener of it: [`HttpEvent::Ready`].
    Report {
        /// HTTP status, where there was an answer that counts.
        status: Option<u16>,
        /// Bytes that came of the value, where the exchange succeeded and it is stored.
        bytes: Option<u64>,
    },
    /// Wait so many milliseconds: [`HttpEvent::Ready`].
    Wait(f64),
    /// Nothing more: this is the result.
    Done(HttpResult),
}

/// The bytes of a request, nothing where nothing is stored, or the reason why there are none.
pub type HttpResult = Result<Option<ReceivedBytes>, HttpFailure>;

/// An event that a driver tells.
#[derive(Debug, Clone, PartialEq)]
pub enum HttpEvent {
    /// The machine may go on.
    Ready,
    /// A response came; its body may follow.
    Head(ResponseHead),
    /// The address that a redirect leads to.
    Target(RedirectTarget),
    /// The whole body came, of so many bytes.
    Body(u64),
    /// The body has more bytes than it may have, or than were announced; in words.
    TooLong(String),
    /// The network failed, or no byte came for too long; in words.
    Failed(String),
    /// Something that the driver throws as it is, and that would happen again.
    Thrown,
    /// Nobody wants the answer any more.
    Aborted,
}

/// A request's method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// GET.
    Get,
    /// HEAD.
    Head,
}

impl Method {
    /// Its name on the wire.
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
    /// As headers say.
    Default,
    /// With a conditional request: a value that did not change is not sent again.
    Revalidate,
    /// Not at all: in the default mode browsers ask for the ranges of one URL one after the other.
    Bypass,
}

/// A request but for its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestHead {
    /// Its method.
    pub method: Method,
    /// Its header `Range`.
    pub range: Option<String>,
    /// Its header `If-Range`.
    pub if_range: Option<String>,
    /// Its use of the browser's cache.
    pub cache: CacheMode,
    /// Whether the caller's headers go along.
    pub carries_headers: bool,
}

/// Bytes that a request brought; the driver holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceivedBytes {
    /// Those asked for: so many of the last body, after so many others.
    Part {
        /// Bytes of the body before them.
        skip: u64,
        /// How many they are.
        length: u64,
    },
    /// The last body is all of the value, although a part was asked for.
    Whole(u64),
    /// A value that is stored and that nobody reads.
    Unread,
    /// The length of a value, where HEAD tells it.
    Length(Option<u64>),
}

/// A request's failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpFailure {
    /// Something that the driver holds, and throws as it is.
    Thrown,
    /// In words, with the HTTP status where there was an answer.
    Told {
        /// HTTP status.
        status: Option<u16>,
        /// Reason of the failure, and what to try.
        reason: String,
    },
}

impl HttpFailure {
    pub(super) fn told(status: u16, reason: impl Into<String>) -> Self {
        Self::Told { status: Some(status).filter(|status| *status > 0), reason: reason.into() }
    }
}

/// Bytes of the array that stands for a value that is stored and that nobody reads.
pub const UNREAD_BYTES: u32 = 2;

impl ReceivedBytes {
    /// Bytes that came of the value.
    #[must_use]
    pub fn bytes(self) -> u64 {
        match self {
            Self::Part { length, .. } | Self::Whole(length) => length,
            Self::Unread => UNREAD_BYTES.into(),
            Self::Length(_) => 0,
        }
    }
}

/// The header `Range` of a request for a part of a value.
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
