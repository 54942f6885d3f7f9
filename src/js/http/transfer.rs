//! The driver of one HTTP request: it carries out the commands of a state machine, and returns events to it.
//!
//! Invariants: all decisions are made by the state machine; there is one await, for the promise of the last command; no
//! borrow of the host's state is held while the caller's code runs.

use js_sys::{Function, Math, Promise, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Response, Url};

use super::exchange::Exchange;
use super::http_store::HttpStore;
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::support::report::report;
use crate::js::support::timer::{Timer, now, timeout};
use crate::network::Request;
use crate::network::http::{HttpCommand, HttpEvent, HttpRequest, RedirectTarget, RequestHead};

/// One request in progress, with its JavaScript objects.
pub(crate) struct Transfer<'a> {
    pub(crate) store: &'a HttpStore,
    on_request: Option<&'a Function>,
    pub(crate) signal: &'a AbortSignal,
    pub(crate) request: HttpRequest,
    pub(crate) awaited: Awaited,
    sent: Option<OpenExchange>,
    pub(crate) response: Option<Response>,
    pub(crate) body: Option<Uint8Array>,
    /// The value thrown last: the failure itself, or its cause.
    pub(crate) thrown: Option<JsValue>,
    timer: Option<Timer>,
}

/// An exchange in progress, from its first request to its report.
struct OpenExchange {
    exchange: Exchange,
    /// The current address, which redirects change.
    url: Url,
    /// Time in milliseconds at which the first request was sent.
    started: f64,
}

/// Kind of the promise that is awaited.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// A promise without a value.
    #[default]
    Nothing,
    Response,
    Body,
}

impl<'a> Transfer<'a> {
    pub(crate) fn new(
        store: &'a HttpStore,
        (request, most): (&Request, u64),
        signal: &'a AbortSignal,
        on_request: Option<&'a Function>,
    ) -> Self {
        let request = HttpRequest::new(request.clone(), most, &store.host.borrow());
        Self {
            store,
            on_request,
            signal,
            request,
            awaited: Awaited::Nothing,
            sent: None,
            response: None,
            body: None,
            thrown: None,
            timer: None,
        }
    }

    /// Runs the request to its end.
    pub(crate) async fn run(mut self) -> JsResult<Option<Bytes>> {
        let mut settled = Ok(JsValue::UNDEFINED);
        loop {
            match self.advance(settled) {
                Ok(promise) => settled = JsFuture::from(promise).await,
                Err(result) => return result,
            }
        }
    }

    /// Continues after a promise; returns the next promise, or the result as an error.
    fn advance(&mut self, settled: JsResult<JsValue>) -> Result<Promise, JsResult<Option<Bytes>>> {
        let mut event = self.event(settled);
        loop {
            let command = self.request.next(event, &mut self.store.host.borrow_mut(), Math::random);
            let started = match command {
                HttpCommand::Send(head) => {
                    self.thrown = None;
                    self.awaited = Awaited::Response;
                    self.send(&head)
                }
                HttpCommand::Read(most) => {
                    self.awaited = Awaited::Body;
                    self.with_body(|exchange, response| exchange.read(response, most))
                }
                HttpCommand::Leave => self.with_body(Exchange::leave),
                HttpCommand::Wait(ms) => {
                    let (timer, elapsed) = timeout(ms);
                    self.timer = Some(timer);
                    Ok(elapsed)
                }
                HttpCommand::Resolve(location) => {
                    event = HttpEvent::Target(self.resolve(&location));
                    continue;
                }
                HttpCommand::Report { status, bytes } => {
                    // Taking the exchange aborts a request whose response is not complete.
                    let ms = self.sent.take().map_or(0.0, |sent| now() - sent.started);
                    if let Some(on_request) = self.on_request {
                        report(on_request, self.request.asked(), self.request.method(), (status, bytes, ms));
                    }
                    event = HttpEvent::Ready;
                    continue;
                }
                HttpCommand::Done(result) => return Err(self.result(result)),
            };
            match started {
                Ok(promise) => return Ok(promise),
                Err(thrown) => {
                    self.thrown = Some(thrown);
                    event = HttpEvent::Thrown;
                }
            }
        }
    }

    /// Sends a request: the first of an exchange, or one after a redirect.
    fn send(&mut self, head: &RequestHead) -> JsResult<Promise> {
        let sent = match self.sent.take() {
            Some(sent) => sent,
            None => OpenExchange {
                url: self.store.url(&self.request.asked().key)?,
                exchange: self.store.exchange(self.signal),
                started: now(),
            },
        };
        let request = sent.exchange.request(&sent.url, &self.store.sending, head).map_err(|_| {
            // The engine's message would show the password.
            let reason = "fetch rejects this address; pass a user and a password with the option headers";
            self.failure(None, reason.to_owned())
        });
        let answer = request.map(|request| sent.exchange.send(&self.store.fetch(), &request));
        self.sent = Some(sent);
        answer
    }

    /// Changes the address to the target of a redirect.
    fn resolve(&mut self, location: &str) -> RedirectTarget {
        let Some(OpenExchange { url, .. }) = &mut self.sent else { return RedirectTarget::Unusable };
        match Url::new_with_base(location, &url.href()) {
            Ok(target) if matches!(target.protocol().as_str(), "http:" | "https:") => {
                let is_near = target.origin() == url.origin();
                *url = target;
                if is_near { RedirectTarget::SameOrigin } else { RedirectTarget::OtherOrigin }
            }
            _ => RedirectTarget::Unusable,
        }
    }

    /// Begins work on the body of the response.
    fn with_body(&self, work: impl FnOnce(&Exchange, &Response) -> Promise) -> JsResult<Promise> {
        match (&self.sent, &self.response) {
            (Some(sent), Some(response)) => Ok(work(&sent.exchange, response)),
            _ => Err(lost()),
        }
    }
}

/// The error where a request has neither a response nor an error, which is a bug.
pub(crate) fn lost() -> JsValue {
    js_sys::Error::new("internal error: an HTTP request ended without a response").into()
}
