//! One exchange of a request: the request that is sent, redirects, the verdict on the response, and its report.

use super::body::BodyPlan;
use super::question::Doubt;
use super::response::{ANOTHER_PART, CHANGED};
use super::state::{HttpRequest, RequestStage};
use super::{
    CacheMode, HttpCommand, HttpFailure, HttpHost, HttpResult, Method, ReceivedBytes, Redirect,
    RedirectTarget, RequestHead, ResponseHead, Verdict, range_header,
};

impl HttpRequest {
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
