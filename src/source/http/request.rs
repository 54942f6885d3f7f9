//! One logical HTTP request as a state machine: commands out, events in, no input or output.
//!
//! The request is retried where that may help (`retry`), follows redirects (`redirect`), and locates the end of a value
//! where suffix ranges do not work (`suffix`). What a failure means may need questions to the host (`doubt`).
//! Invariant: every exchange is reported once, before the next begins.

use std::mem::replace;

use super::state::{ExchangeFacts, HttpRequest, RequestStage, SuffixStep};
use super::{HttpCommand, HttpEvent, HttpFailure, HttpHost, HttpResult, Method, ReceivedBytes, RetryAfter};
use crate::source::{ByteRange, Request};

/// Most requests for an answer with the known ETag, on a host whose machines may give a file an ETag each.
const MOST_TAG_REQUESTS: u32 = 6;

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
        if let Some(command) = self.is_there(&result, (is_late, retry), host) {
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
        self.go_on((result, status, retry), host, chance)
    }

    /// Continues after a result: with a retry, with the next step, or with the end.
    pub(super) fn go_on(
        &mut self,
        (result, status, retry): (HttpResult, Option<u16>, Option<RetryAfter>),
        host: &mut HttpHost,
        chance: fn() -> f64,
    ) -> HttpCommand {
        // GET decides, where the answer to HEAD is hidden.
        let is_settled =
            self.has_refused(status, host) || self.is_bare && status.is_none() && self.method == Method::Head;
        let may_repeat = self.repetition < host.policy.retries && !is_settled && self.doubted.is_none();
        if let Some(retry) = retry.filter(|_| may_repeat) {
            let ms = retry.wait(self.repetition, chance());
            self.repetition += 1;
            return HttpCommand::Wait(ms);
        }
        self.exists |= matches!(result, Ok(Some(_)));
        match self.conclude((result, status), host) {
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
}

/// Range of the last bytes of a value of known length; the whole value where it is shorter, which its reader reports.
pub(super) fn last(length: u64, bytes: u64) -> ByteRange {
    ByteRange::Span(length.saturating_sub(bytes)..length)
}
