//! The driver of one HTTP request: it carries out the commands of a state machine, and returns events to it.
//!
//! Invariants: all decisions are made by the state machine; there is one await, for the promise of the last command; no
//! borrow of the host's state is held while the caller's code runs. JavaScript watches the response: a body is read up
//! to its bound; a request that receives no bytes for the timeout fails; a body that is not read is cancelled, so that
//! its connection is free for the next request.

use std::mem::take;

use js_sys::{Date, Function, Math, Object, Promise, RangeError, TypeError, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Response, Url};

use super::http_store::HttpStore;
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::convert::value::{field, message, number, set, shown};
use crate::js::support::report::{RequestOutcome, report, span};
use crate::js::support::time::{Timer, now, timeout};
use crate::network::Request;
use crate::network::http::{
    CacheMode, HttpCommand, HttpEvent, HttpFailure, HttpRequest, HttpResult, ReceivedBytes, RedirectTarget,
    RequestHead, ResponseHead, UNREAD_BYTES,
};

#[wasm_bindgen(raw_module = "../fetch/exchange.js")]
extern "C" {
    /// The head of a response as lines, for `ResponseHead::parse`; `None` where the value is not a response.
    #[wasm_bindgen(catch, js_name = headOf)]
    pub(crate) fn head(answer: &JsValue) -> JsResult<Option<String>>;
}

#[wasm_bindgen(raw_module = "../fetch/exchange.js")]
extern "C" {
    #[wasm_bindgen(js_name = Exchange)]
    type Watched;

    #[wasm_bindgen(constructor, js_class = "Exchange")]
    fn new(signal: &AbortSignal, ms: f64, origin: &str) -> Watched;

    #[wasm_bindgen(method, catch)]
    fn request(
        this: &Watched,
        url: &str,
        options: &Object,
        carries: bool,
        method: &str,
        cache: &str,
        range: Option<&str>,
        is_blind: bool,
    ) -> JsResult<web_sys::Request>;

    #[wasm_bindgen(method)]
    fn send(this: &Watched, fetch: &Function, request: &web_sys::Request) -> Promise;

    #[wasm_bindgen(method)]
    fn read(this: &Watched, response: &Response, most: f64) -> Promise;

    #[wasm_bindgen(method)]
    fn leave(this: &Watched, response: &Response) -> Promise;

    #[wasm_bindgen(method)]
    fn end(this: &Watched);
}

/// A request in progress; dropping it aborts the request.
pub(crate) struct Exchange(Watched);

impl Exchange {
    /// Makes an exchange that ends with the signal, or after `timeout` milliseconds without a byte; 0 means no timeout.
    pub(crate) fn new(signal: &AbortSignal, timeout: u64, origin: &str) -> Self {
        Self(Watched::new(signal, number(timeout), origin))
    }

    /// Makes a request with the options that all requests of its store share.
    pub(crate) fn request(
        &self,
        url: &Url,
        options: &Object,
        head: &RequestHead,
    ) -> JsResult<web_sys::Request> {
        let cache = match head.cache {
            CacheMode::Default => "default",
            CacheMode::Revalidate => "no-cache",
            CacheMode::Bypass => "no-store",
        };
        let (method, range) = (head.method.name(), head.range.as_deref());
        self.0.request(&url.href(), options, head.carries_headers, method, cache, range, head.is_blind)
    }

    /// Sends a request; the promise gives its response.
    pub(crate) fn send(&self, fetch: &Function, request: &web_sys::Request) -> Promise {
        self.0.send(fetch, request)
    }

    /// Reads the body of a response of at most `most` bytes; the promise gives a `Uint8Array`, or an error as its
    /// value.
    ///
    /// The promise resolves to an error where repeating the request would not help: a `RangeError` where the body has
    /// more bytes than `most` or than were announced, a `TypeError` where a stream of the caller's has other parts than
    /// bytes.
    pub(crate) fn read(&self, response: &Response, most: u64) -> Promise {
        self.0.read(response, number(most))
    }

    /// Cancels a body that is not read.
    pub(crate) fn leave(&self, response: &Response) -> Promise {
        self.0.leave(response)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.end();
    }
}

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
        request: &Request,
        most: u64,
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
                        let outcome = RequestOutcome { status, bytes, ms };
                        report(on_request, self.request.asked(), self.request.method(), outcome);
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
                exchange: Exchange::new(self.signal, self.store.timeout(), &self.store.origin()),
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

    /// The event for a settled promise.
    pub(crate) fn event(&mut self, settled: JsResult<JsValue>) -> HttpEvent {
        if self.signal.aborted() {
            self.thrown = Some(self.signal.reason());
            return HttpEvent::Aborted;
        }
        let awaited = take(&mut self.awaited);
        let thrown = match (awaited, settled) {
            (Awaited::Nothing, _) => return HttpEvent::Ready,
            (Awaited::Response, Ok(answer)) => match self.answered(answer) {
                Ok(head) => return HttpEvent::Head(head),
                Err(thrown) => thrown,
            },
            (Awaited::Body, Ok(body)) => match body.dyn_into::<Uint8Array>() {
                Ok(body) => {
                    let length = body.length().into();
                    self.body = Some(body);
                    return HttpEvent::Body(length);
                }
                Err(error) if error.is_instance_of::<RangeError>() => {
                    return HttpEvent::TooLong(message(&error));
                }
                Err(error) => error,
            },
            (_, Err(cause)) => {
                let message = message(&cause);
                let is_late = awaited == Awaited::Response && field(&cause, "name") == "TimeoutError";
                self.thrown = Some(cause);
                return if is_late { HttpEvent::Late(message) } else { HttpEvent::Failed(message) };
            }
        };
        self.thrown = Some(thrown);
        HttpEvent::Thrown
    }

    /// Takes the response of `fetch`, which may be the caller's function.
    fn answered(&mut self, answer: JsValue) -> JsResult<ResponseHead> {
        let Some(lines) = head(&answer)? else {
            let message = format!("the option fetch must return a Response, not {}", shown(&answer));
            return Err(TypeError::new(&message).into());
        };
        self.response = Some(answer.unchecked_into());
        Ok(ResponseHead::parse(&lines, |date| Date::parse(date) - Date::now()))
    }

    /// The result for the caller of the store.
    pub(crate) fn result(&mut self, result: HttpResult) -> JsResult<Option<Bytes>> {
        let failure = match result {
            Ok(None) => return Ok(None),
            Ok(Some(found)) => return Ok(Some(self.bytes(found))),
            Err(failure) => failure,
        };
        let thrown = self.thrown.take();
        let HttpFailure::Told { status, reason } = failure else {
            return Err(thrown.unwrap_or_else(lost));
        };
        let error = self.failure(status, reason);
        if let Some(cause) = thrown {
            set(&error, "cause", &cause);
        }
        Err(error)
    }

    fn bytes(&mut self, found: ReceivedBytes) -> Bytes {
        let body = self.body.take();
        match (found, body) {
            (ReceivedBytes::Part { skip: 0, .. }, Some(body)) => Bytes::Asked(body),
            (ReceivedBytes::Part { skip, .. }, Some(body)) => {
                let start = u32::try_from(skip).unwrap_or(u32::MAX);
                Bytes::Asked(body.subarray(start, body.length()))
            }
            (ReceivedBytes::Whole(_), Some(body)) => Bytes::Whole(body),
            (_, _) => Bytes::Asked(Uint8Array::new_with_length(UNREAD_BYTES)),
        }
    }

    pub(crate) fn failure(&self, status: Option<u16>, reason: String) -> JsValue {
        let Request { key, range } = self.request.asked();
        Error::Store { key: self.store.public_url(key), status, range: span(range), reason }.into()
    }
}

/// The error where a request has neither a response nor an error, which is a bug.
fn lost() -> JsValue {
    js_sys::Error::new("internal error: an HTTP request ended without a response").into()
}
