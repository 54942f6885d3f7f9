//! One logical HTTP request as a state machine: commands out, events in, no input or output.
//!
//! The request is retried where that may help (`RetryAfter`), follows redirects (`redirect`), and locates the end of a
//! value where suffix ranges do not work (`suffix`). What a failure means may need questions to the host (`doubt`). One
//! exchange is a request that is sent, its redirects, the verdict on the response, and its report.
//! Invariant: every exchange is reported once, before the next begins.

use std::mem::replace;

use super::response::{ANOTHER_PART, CHANGED};
use super::{
    HostCapabilities, HttpHost, Redirect, RedirectTarget, RedirectTrail, ResponseHead, RetryAfter, Verdict,
};
use crate::network::{ByteRange, Request};

/// Most requests for an answer with the known ETag, on a host whose machines may give a file an ETag each.
const MOST_TAG_REQUESTS: u32 = 6;

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

/// How an exchange ended.
pub(super) struct Outcome {
    pub(super) result: HttpResult,
    pub(super) status: Option<u16>,
    /// When the request may be sent again; `None` where that would not help.
    pub(super) retry: Option<RetryAfter>,
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

impl HttpRequest {
    /// Creates a request; a whole value may have `most` bytes.
    #[must_use]
    pub fn new(request: Request, most: u64, host: &HttpHost) -> Self {
        let mut new = Self {
            wanted: request.range.clone(),
            asked: request,
            method: Method::Get,
            most,
            step: SuffixStep::Direct,
            doubts_head: false,
            suffix_failure: None,
            doubt: None,
            is_lost: false,
            has_looked: false,
            is_bare: false,
            exists: false,
            doubted: None,
            tag_requests: 0,
            noted_tag: None,
            stage: RequestStage::Idle,
            exchange: ExchangeFacts::default(),
            repetition: 0,
        };
        if let (ByteRange::Suffix(bytes), true) = (&new.wanted, host.avoids_suffixes()) {
            new.seek_end(*bytes, host);
        }
        new
    }

    /// HTTP method of the current exchange.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Key and byte range of the current exchange.
    #[must_use]
    pub fn asked(&self) -> &Request {
        &self.asked
    }

    /// Takes an event, the first being `Ready`, and gives the next command; `chance` gives random numbers from 0 to 1.
    pub fn next(&mut self, event: HttpEvent, host: &mut HttpHost, chance: fn() -> f64) -> HttpCommand {
        match (replace(&mut self.stage, RequestStage::Idle), event) {
            (_, HttpEvent::Aborted) => HttpCommand::Done(Err(HttpFailure::Thrown)),
            (_, HttpEvent::Thrown) => self.end(Err(HttpFailure::Thrown)),
            (RequestStage::Idle, HttpEvent::Ready) => self.send(host),
            (RequestStage::Sent, HttpEvent::Head(head)) => self.judge(&head, host),
            (RequestStage::Sent, HttpEvent::Failed(message)) => self.no_answer(&message),
            (RequestStage::Sent, HttpEvent::Late(message)) => {
                self.exchange.is_late = true;
                self.no_answer(&message)
            }
            (RequestStage::Redirected { status, location }, HttpEvent::Ready) => {
                self.stage = RequestStage::Resolving { status };
                HttpCommand::Resolve(location)
            }
            (RequestStage::Resolving { status }, HttpEvent::Target(target)) => {
                self.follow(status, target, host)
            }
            (RequestStage::Reading(plan), event) => {
                let status = self.exchange.status.unwrap_or_default();
                let (result, retry) = plan.end(status, &self.asked.range, event, &mut host.capabilities);
                self.exchange.retry = retry.or(self.exchange.retry);
                self.end(result)
            }
            (RequestStage::Leaving(result), HttpEvent::Ready) => self.end(result),
            (RequestStage::Reported(result), HttpEvent::Ready) => self.repeat(result, host, chance),
            // The driver sent an event that does not belong to the last command.
            (_, _) => HttpCommand::Done(Err(HttpFailure::Thrown)),
        }
    }

    /// Sets the method and the range of the next exchange.
    pub(super) fn ask(&mut self, step: SuffixStep, method: Method, range: ByteRange) {
        self.step = step;
        self.method = method;
        self.asked.range = range;
        self.repetition = 0;
        self.is_lost = false;
    }

    /// Continues after an exchange: with a retry, a corrected range, or the next step.
    fn repeat(&mut self, result: HttpResult, host: &mut HttpHost, chance: fn() -> f64) -> HttpCommand {
        let ExchangeFacts { status, retry, misread_length, has_other_tag, is_late, .. } =
            std::mem::take(&mut self.exchange);
        if let Some(doubt) = self.doubt.take() {
            return self.settle(doubt, &result, is_late, host, chance);
        }
        if has_other_tag {
            return self.seek_tag(result, host);
        }
        if let (&ByteRange::Suffix(bytes), Some(length)) = (&self.asked.range, misread_length) {
            self.ask(self.step, Method::Get, last(length, bytes));
            return self.send(host);
        }
        if let Err(failure) = &result
            && let Some(command) = self.is_there(failure, is_late, retry, host)
        {
            return command;
        }
        let result = match result {
            Ok(Some(found @ (ReceivedBytes::Part { .. } | ReceivedBytes::Unread)))
                if !self.asked.range.fits(found.bytes()) =>
            {
                Err(HttpFailure::Told { status, reason: ByteRange::misfit(found.bytes()) })
            }
            result => result,
        };
        self.is_bare &= !is_late;
        self.go_on(Outcome { result, status, retry }, host, chance)
    }

    /// Continues after a result: with a retry, with the next step, or with the end.
    pub(super) fn go_on(
        &mut self,
        Outcome { result, status, retry }: Outcome,
        host: &mut HttpHost,
        chance: fn() -> f64,
    ) -> HttpCommand {
        // GET decides, where the answer to HEAD is hidden.
        let is_hidden = self.is_bare && status.is_none() && self.method == Method::Head;
        let end = match self.wanted {
            ByteRange::Suffix(bytes) => Some(bytes),
            _ => None,
        };
        let is_settled = is_hidden || end.is_some() && self.has_refused(status, host);
        let may_repeat = self.repetition < host.policy.retries && !is_settled && self.doubted.is_none();
        if let Some(retry) = retry.filter(|_| may_repeat) {
            let ms = retry.wait(self.repetition, chance());
            self.repetition += 1;
            return HttpCommand::Wait(ms);
        }
        self.exists |= matches!(result, Ok(Some(_)));
        let command = match end {
            Some(bytes) => self.conclude(bytes, result, status, host),
            None => HttpCommand::Done(result),
        };
        match command {
            HttpCommand::Done(Err(failure)) => self.failed(failure, host),
            HttpCommand::Done(Ok(Some(found))) if self.suffix_failure.is_some() => {
                host.capabilities.note_refused_suffix();
                HttpCommand::Done(Ok(Some(found)))
            }
            command => command,
        }
    }

    /// Reports that no response came.
    fn no_answer(&mut self, message: &str) -> HttpCommand {
        self.exchange.retry = Some(RetryAfter::SOON);
        let reason = format!(
            "no answer ({message}); check the address and the network, that the host allows this page to read it \
             (CORS: Access-Control-Allow-Origin), and the page's own policy (connect-src)"
        );
        self.end(Err(HttpFailure::Told { status: None, reason }))
    }

    /// Sends a request again, as its answer has another ETag than the one before; gives up after some requests.
    fn seek_tag(&mut self, result: HttpResult, host: &mut HttpHost) -> HttpCommand {
        if self.tag_requests < MOST_TAG_REQUESTS {
            self.tag_requests += 1;
            return self.send(host);
        }
        host.versions.forget(&self.asked.key);
        HttpCommand::Done(result)
    }

    /// Sends the request, the first of an exchange or the one that follows a redirect.
    pub(super) fn send(&mut self, host: &HttpHost) -> HttpCommand {
        let is_blind = self.doubt.as_ref().is_some_and(Doubt::is_blind);
        let range = match self.method {
            Method::Get => range_header(&self.asked.range),
            // With a range, browsers and Node ask for the bytes as they are. Without one, a host that compresses what
            // it sends tells the compressed length.
            Method::Head => (!is_blind).then(|| "bytes=0-".to_owned()),
        };
        self.stage = RequestStage::Sent;
        HttpCommand::Send(RequestHead {
            method: self.method,
            is_blind,
            cache: match &range {
                _ if is_blind => CacheMode::Bypass,
                Some(_) => CacheMode::Bypass,
                None if host.revalidates => CacheMode::Revalidate,
                None => CacheMode::Default,
            },
            range,
            carries_headers: self.exchange.trail.carries_headers,
        })
    }

    pub(super) fn follow(&mut self, status: u16, target: RedirectTarget, host: &HttpHost) -> HttpCommand {
        match self.exchange.trail.follow(target) {
            Ok(()) => self.send(host),
            Err(reason) => self.end(Err(HttpFailure::told(status, reason))),
        }
    }

    /// Decides on the head of a response: follow a redirect, read the body, or end the exchange.
    pub(super) fn judge(&mut self, head: &ResponseHead, host: &mut HttpHost) -> HttpCommand {
        let status = head.status;
        match host.policy.redirect(head) {
            Redirect::No => {}
            Redirect::Forbidden(reason) => return self.leave(Err(HttpFailure::told(status, reason))),
            Redirect::To(location) => {
                self.stage = RequestStage::Redirected { status, location };
                return HttpCommand::Leave;
            }
        }
        self.exchange.status = Some(status).filter(|status| *status > 0);
        if self.doubt.as_ref().is_some_and(Doubt::is_blind) {
            return self.leave(Ok(Some(ReceivedBytes::Length(None))));
        }
        // The host sends errors with CORS headers too.
        host.denials.is_bare &= status < 400;
        self.exchange.retry = head.retry_after();
        let refused = |reason| Err(HttpFailure::told(status, reason));
        if self.method == Method::Head {
            return self.end(match host.verdict_on_status(status) {
                None => Ok(Some(ReceivedBytes::Length(head.content_length))),
                Some(Verdict::Refused(reason)) => refused(reason),
                Some(_) => Ok(None),
            });
        }
        let is_whole = match host.verdict(&self.asked.key, &self.asked.range, head) {
            Verdict::Missing => return self.leave(Ok(None)),
            Verdict::Refused(reason) => return self.leave(refused(reason)),
            Verdict::OtherTag => {
                self.exchange.has_other_tag = true;
                if self.tag_requests == 0 {
                    self.noted_tag = host.versions.tag(&self.asked.key).map(str::to_owned);
                }
                return self.leave(refused(CHANGED));
            }
            Verdict::Misread(length) => {
                self.exchange.misread_length = length;
                return self.leave(refused(ANOTHER_PART));
            }
            Verdict::Whole if self.most == 0 => return self.leave(Ok(Some(ReceivedBytes::Unread))),
            Verdict::Whole => true,
            Verdict::Asked => false,
        };
        host.note_answer(&self.asked.key, self.is_lost && self.doubt.is_none());
        if self.noted_tag.is_some() && self.noted_tag == head.tag {
            host.versions.note_again(&self.asked.key, head.tag.as_deref());
        }
        let plan = BodyPlan::new(&self.asked.range, is_whole, self.most, head, &host.capabilities);
        let command = HttpCommand::Read(plan.limit());
        self.stage = RequestStage::Reading(plan);
        command
    }

    /// Cancels the body, then ends the exchange with a result.
    fn leave(&mut self, result: HttpResult) -> HttpCommand {
        self.stage = RequestStage::Leaving(result);
        HttpCommand::Leave
    }

    /// Ends the exchange with a result, and reports it.
    pub(super) fn end(&mut self, result: HttpResult) -> HttpCommand {
        let bytes = result.as_ref().ok().and_then(|found| found.map(ReceivedBytes::bytes));
        self.stage = RequestStage::Reported(result);
        HttpCommand::Report { status: self.exchange.status, bytes }
    }
}

/// Range of the last bytes of a value of known length; the whole value where it is shorter, which its reader reports.
pub(super) fn last(length: u64, bytes: u64) -> ByteRange {
    ByteRange::Span(length.saturating_sub(bytes)..length)
}
