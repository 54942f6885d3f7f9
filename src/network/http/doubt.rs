//! Doubt: whether a failure means that nothing is stored. What else the host answers decides.
//!
//! Buckets that may not be listed answer 403 for what is missing, and some hosts send 404 without CORS headers, which
//! browsers show as a fault of the network. Invariant: such a failure counts as "missing" only where the host still
//! gives a value that it gave before, where it fails in the same way for a document that cannot exist, and where the
//! value's own request then fails in the same way once more. No lost answer may ever have come after all, and nothing may
//! have shown that the value is stored.

use super::request::{Doubt, HttpRequest, Outcome, Question};
use super::{HttpCommand, HttpFailure, HttpHost, HttpResult, Method, RetryAfter};
use crate::network::{ByteRange, join, scheme};

/// Name of a document that no store has, below the folder of one that it has.
const NOTHING: &str = "rectilinear-zarr-nothing-here/zarr.json";

impl HttpRequest {
    /// Asks whether the host is there, after the first request without a response, where an answer may be hidden.
    pub(super) fn is_there(
        &mut self,
        failure: &HttpFailure,
        is_late: bool,
        retry: Option<RetryAfter>,
        host: &HttpHost,
    ) -> Option<HttpCommand> {
        let HttpFailure::Told { status: None, .. } = failure else { return None };
        self.is_lost = true;
        if self.is_bare && host.witness.is_none() && self.repetition > 0 {
            return Some(HttpCommand::Done(Err(without_cors(host))));
        }
        // Where the range needs a preflight, that may have been refused.
        let has_preflight = matches!(self.asked.range, ByteRange::Suffix(_));
        if is_late
            || has_preflight
            || !host.policy.hides_answers
            || std::mem::replace(&mut self.has_looked, true)
        {
            return None;
        }
        if host.hides_everything() {
            return Some(HttpCommand::Done(Err(without_cors(host))));
        }
        Some(self.question(Question::IsThere, failure.clone(), retry, host))
    }

    /// The result of a request that failed, or the first request that settles what the failure means.
    pub(super) fn failed(&mut self, failure: HttpFailure, host: &HttpHost) -> HttpCommand {
        let denials = &host.denials;
        let may_mean_missing = match &failure {
            HttpFailure::Told { status: Some(403), .. } => true,
            HttpFailure::Told { status: None, .. } => self.is_bare && !denials.is_flaky,
            _ => false,
        };
        let status = |failure: &HttpFailure| match failure {
            HttpFailure::Told { status, .. } => Some(*status),
            HttpFailure::Thrown => None,
        };
        if self.doubted.is_some() && self.doubted == status(&failure) && may_mean_missing {
            return HttpCommand::Done(Ok(None));
        }
        let is_stored = self.exists || host.versions.knows(&self.asked.key);
        let is_own = host.witness.as_ref().is_some_and(|witness| *witness != self.asked.key);
        let may_ask = self.doubted.is_none() && is_own && scheme(&self.asked.key).is_none();
        if may_mean_missing && !is_stored && may_ask {
            return self.question(Question::Witness, failure, None, host);
        }
        let is_hidden = self.is_bare && matches!(failure, HttpFailure::Told { status: None, .. });
        HttpCommand::Done(Err(if is_hidden { without_cors(host) } else { failure }))
    }

    fn question(
        &mut self,
        question: Question,
        failure: HttpFailure,
        retry: Option<RetryAfter>,
        host: &HttpHost,
    ) -> HttpCommand {
        let (key, method, range) = (self.asked.key.clone(), self.method, self.asked.range.clone());
        self.doubt = Some(Doubt { failure, retry, key, method, range, question });
        self.put(question, host)
    }

    /// Sends the request for a question.
    fn put(&mut self, question: Question, host: &HttpHost) -> HttpCommand {
        let witness = host.witness.as_deref().unwrap_or_default();
        match question {
            Question::IsThere => self.method = Method::Head,
            Question::Witness => witness.clone_into(&mut self.asked.key),
            Question::Nothing => {
                let folder = witness.rsplit_once('/').map_or("", |(folder, _)| folder);
                self.asked.key = join(folder, NOTHING);
            }
        }
        if question != Question::IsThere {
            (self.method, self.asked.range) = (Method::Get, ByteRange::Span(0..1));
        }
        self.send(host)
    }

    /// Continues with the answer to a question.
    pub(super) fn settle(
        &mut self,
        mut doubt: Doubt,
        result: &HttpResult,
        is_late: bool,
        host: &mut HttpHost,
        chance: fn() -> f64,
    ) -> HttpCommand {
        let is_forbidden = matches!(doubt.failure, HttpFailure::Told { status: Some(_), .. });
        let is_known = if is_forbidden { host.denials.forbids_missing } else { host.denials.hides_missing };
        match (doubt.question, result) {
            (Question::IsThere, result) => {
                self.asked.range = doubt.range;
                self.method = doubt.method;
                self.is_bare = result.is_ok();
                host.denials.is_bare |= self.is_bare;
                let outcome = Outcome { result: Err(doubt.failure), status: None, retry: doubt.retry };
                self.go_on(outcome, host, chance)
            }
            (Question::Witness, Ok(Some(_))) if is_known => self.settled(doubt, true, host),
            (Question::Witness, Ok(Some(_))) => {
                doubt.question = Question::Nothing;
                self.doubt = Some(doubt);
                self.put(Question::Nothing, host)
            }
            (Question::Nothing, Err(HttpFailure::Told { status, .. })) => {
                let is_alike = if is_forbidden { *status == Some(403) } else { status.is_none() && !is_late };
                let known = &mut host.denials;
                *(if is_forbidden { &mut known.forbids_missing } else { &mut known.hides_missing }) |=
                    is_alike;
                self.settled(doubt, is_alike, host)
            }
            _ => self.settled(doubt, false, host),
        }
    }

    /// Ends a doubt: with the request of the value for the last time, where nothing seems to be stored, or with its
    /// failure.
    fn settled(&mut self, doubt: Doubt, seems_missing: bool, host: &HttpHost) -> HttpCommand {
        (self.asked.key, self.asked.range, self.method) = (doubt.key, doubt.range, doubt.method);
        match doubt.failure {
            HttpFailure::Told { status, .. } if seems_missing => {
                self.doubted = Some(status);
                self.send(host)
            }
            HttpFailure::Told { status: None, .. } => HttpCommand::Done(Err(without_cors(host))),
            failure => HttpCommand::Done(Err(failure)),
        }
    }
}

/// Failure where the host answers, and browsers hide the answer.
fn without_cors(host: &HttpHost) -> HttpFailure {
    let reason = if host.witness.is_some() {
        "the host sent this answer without CORS headers, which it sends with others: most hosts do so for errors; let it \
         send Access-Control-Allow-Origin with every status (nginx: always)"
    } else {
        "the host answers, but does not allow this page to read it (CORS): let it send Access-Control-Allow-Origin"
    };
    HttpFailure::Told { status: None, reason: reason.to_owned() }
}
