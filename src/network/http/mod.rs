//! HTTP without input and output: decisions about requests and responses, as plain data with native tests.
//!
//! Invariant: nothing here waits, sends or reads a clock. Events come in (the head of a response, the length of its
//! body, a failure), commands go out (send, read, wait, done); a driver carries them out.

mod doubt;
mod host;
mod request;
mod response;
mod suffix;

pub use host::{
    HostCapabilities, HttpHost, HttpPolicy, MAX_VERSIONS, ValueVersion, VersionMatch, VersionTable,
};
pub use request::{
    CacheMode, HttpCommand, HttpEvent, HttpFailure, HttpRequest, HttpResult, Method, ReceivedBytes,
    RequestHead, UNREAD_BYTES, range_header,
};
pub use response::{
    ContentRange, MAX_REDIRECTS, Redirect, RedirectTarget, RedirectTrail, ResponseHead, RetryAfter, Served,
    Verdict, requested_delay,
};
