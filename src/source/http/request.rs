//! One logical HTTP request as a state machine: commands out, events in, no input or output.
//!
//! The request is retried where that may help (`retry`), follows redirects (`redirect`), and locates the end of a value
//! where suffix ranges do not work (`suffix`). Invariant: every exchange is reported once, before the next begins.

use std::mem::replace;

use super::state::{ExchangeFacts, HttpRequest, RequestStage, SuffixStep};
use super::{HttpCommand, HttpEvent, HttpFailure, HttpHost, HttpResult, Method, ReceivedBytes, RetryAfter};
use crate::source::{ByteRange, Request};

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
            (RequestStage::Sent, HttpEvent::Failed(message)) => {
                self.exchange.retry = Some(RetryAfter::SOON);
                let reason = format!(
                    "no answer ({message}); check the address and the network, and that the host allows this page to \
                     read it (CORS: Access-Control-Allow-Origin), and the page's own Content-Security-Policy the host \
                     (connect-src)"
                );
                self.end(Err(HttpFailure::Told { status: None, reason }))
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
    }

    /// Continues after an exchange: with a retry, a corrected range, or the next step.
    fn repeat(&mut self, result: HttpResult, host: &mut HttpHost, chance: fn() -> f64) -> HttpCommand {
        let ExchangeFacts { status, retry, misread_length, .. } = std::mem::take(&mut self.exchange);
        if let Some(retry) = retry.filter(|_| self.repetition < host.policy.retries) {
            let ms = retry.wait(self.repetition, chance());
            self.repetition += 1;
            return HttpCommand::Wait(ms);
        }
        if let (&ByteRange::Suffix(bytes), Some(length)) = (&self.asked.range, misread_length) {
            self.ask(self.step, Method::Get, last(length, bytes));
            return self.send(host);
        }
        let result = match result {
            Ok(Some(found @ (ReceivedBytes::Part { .. } | ReceivedBytes::Unread)))
                if !self.asked.range.fits(found.bytes()) =>
            {
                Err(HttpFailure::Told { status, reason: ByteRange::misfit(found.bytes()) })
            }
            result => result,
        };
        self.conclude(result, host)
    }
}

/// Range of the last bytes of a value of known length; the whole value where it is shorter, which its reader reports.
pub(super) fn last(length: u64, bytes: u64) -> ByteRange {
    ByteRange::Span(length.saturating_sub(bytes)..length)
}
