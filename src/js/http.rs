//! HTTP as a store: what is asked for, and what the answers mean.
//!
//! A value whose ranges come from two
//! versions of it is an error, as far as the host names versions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::TypeError;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Headers, Request, RequestCache, RequestInit, Response};

use super::JsResult;
use super::address::Address;
use super::answer::{announced, misread_length, with_cause};
use super::exchange::Exchange;
use super::network::HttpOptions;
use super::persisted::Persisted;
use super::redirect::Hop;
use super::report::span;
use super::retry::retry_after;
use super::store::{Answer, Bytes};
use super::value::{field, message, set, shown};
use crate::error::Error;
use crate::source::http::{HostCapabilities, RetryAfter, VersionTable};
use crate::source::{self, ByteRange};

/// A base URL and how to ask below it.
pub(super) struct HttpStore {
    address: Address,
    pub(super) options: HttpOptions,
    /// Whether requests beyond the simplest are preceded by a preflight.
    has_preflights: bool,
    pub(super) versions: RefCell<VersionTable>,
    pub(super) capabilities: RefCell<HostCapabilities>,
    /// Whether what the browser has kept may be out of date.
    revalidates: Cell<bool>,
}

impl HttpStore {
    /// A store below a URL; a relative one is resolved as the page's own links are.
    pub(super) fn new(url: &str, options: HttpOptions) -> JsResult<Self> {
        let address = Address::new(url)?;
        // Headers of the caller's have their preflight anyway.
        let has_preflights = address.is_foreign() && !has_entries(&options.headers);
        let (versions, capabilities) = (RefCell::default(), RefCell::default());
        Ok(Self { address, options, has_preflights, versions, capabilities, revalidates: Cell::new(false) })
    }

    /// Whether the end of a value is better asked for otherwise than as such.
    pub(super) fn avoids_suffixes(&self) -> bool {
        self.has_preflights || self.capabilities.borrow().misreads_suffixes()
    }

    /// Forgets what was known of values, and has the browser revalidate what it kept.
    pub(super) fn refresh(&self) {
        self.versions.borrow_mut().clear();
        self.revalidates.set(true);
    }

    /// What the browser keeps of it, where that was asked for.
    pub(super) fn persisted(&self) -> Option<Rc<Persisted>> {
        self.options.persisted.clone()
    }

    /// The URL of a key with all that may be secret in it.
    pub(super) fn private_url(&self, key: &str) -> Option<String> {
        self.address.url(key).ok().map(|url| url.href())
    }

    /// The URL of a key, or of a path, to be shown: without what may be secret in it.
    pub(super) fn public_url(&self, key: &str) -> String {
        self.address.public_url(key)
    }

    /// The answer to a request; a whole value may have `most` bytes.
    pub(super) async fn get(
        &self,
        request: &source::Request,
        most: u64,
        signal: &AbortSignal,
    ) -> Answer<Bytes> {
        let exchange = self.exchange(signal);
        let response = match self.fetch(request, "GET", &exchange).await {
            Ok(response) => response,
            Err((error, again)) => return Answer { again, ..Answer::new(Err(error)) },
        };
        let (status, mut again) = (response.status(), retry_after(&response));
        let found = match self.stored(request, &response) {
            Ok(true) => self.body((request, most), &response, &exchange, &mut again).await.map(Some),
            refused => {
                exchange.leave(&response).await;
                refused.map(|_| None)
            }
        };
        Answer { found, status: Some(status), again, length: misread_length(request, &response) }
    }

    /// The length of a value, where the host tells it.
    pub(super) async fn head(&self, request: &source::Request, signal: &AbortSignal) -> Answer<Option<u64>> {
        let response = match self.fetch(request, "HEAD", &self.exchange(signal)).await {
            Ok(response) => response,
            Err((error, again)) => return Answer { again, ..Answer::new(Err(error)) },
        };
        let found = self.stored(request, &response).map(|is_stored| is_stored.then(|| announced(&response)));
        Answer { status: Some(response.status()), again: retry_after(&response), ..Answer::new(found) }
    }

    pub(super) fn failure(&self, request: &source::Request, status: Option<u16>, reason: String) -> Error {
        Error::Store { key: self.public_url(&request.key), status, range: span(&request.range), reason }
    }

    fn exchange(&self, signal: &AbortSignal) -> Exchange {
        Exchange::new(signal, self.options.timeout, &self.address.origin())
    }

    /// An answer, or why there is none and whether it may help to ask again.
    async fn fetch(
        &self,
        request: &source::Request,
        method: &str,
        exchange: &Exchange,
    ) -> Result<Response, (JsValue, Option<RetryAfter>)> {
        let fetch = self.options.fetch.clone();
        let fetch = fetch.unwrap_or_else(|| field(&js_sys::global(), "fetch").unchecked_into());
        let url = self.address.url(&request.key).map_err(|error| (error, None))?;
        let mut hop = Hop::new(url, &self.options.headers);
        loop {
            let asked = self.request(request, &hop, method, &exchange.signal());
            let asked = asked.map_err(|error| (error, None))?;
            let response = exchange.send(&fetch, &asked).await.map_err(|cause| {
                let reason = format!(
                    "no answer ({}); check the address and the network, and that the host allows this page to \
                     read it (CORS: Access-Control-Allow-Origin)",
                    message(&cause)
                );
                (with_cause(self.failure(request, None, reason), &cause), Some(RetryAfter::SOON))
            })?;
            // A fetch of the caller's may answer with another realm's or library's Response: ask for what is used.
            if !field(&response, "arrayBuffer").is_function() {
                let message =
                    format!("the option fetch answered with {}; expected a Response", shown(&response));
                return Err((TypeError::new(&message).into(), None));
            }
            let response: Response = response.unchecked_into();
            let next = self.next(&response, &hop);
            if let Ok(None) = next {
                return Ok(response);
            }
            exchange.leave(&response).await;
            let status = Some(response.status()).filter(|status| *status > 0);
            let refused = |reason: &str| (self.failure(request, status, reason.to_owned()).into(), None);
            hop = next.map_err(refused)?.unwrap_or(hop);
        }
    }

    fn request(
        &self,
        request: &source::Request,
        hop: &Hop,
        method: &str,
        signal: &AbortSignal,
    ) -> JsResult<Request> {
        let headers = Headers::new_with_headers(&hop.headers)?;
        let init = RequestInit::new();
        init.set_method(method);
        if self.sees_redirects() {
            set(&init, "redirect", &"manual".into());
        }
        if let Some(range) = range_header(&request.range) {
            headers.set("Range", &range)?;
            // In the default cache mode browsers ask for the ranges of one URL one after the other.
            init.set_cache(RequestCache::NoStore);
            let versions = self.versions.borrow();
            let validator = versions.strong_validator(&request.key);
            if let Some(validator) = validator.filter(|_| !self.has_preflights) {
                headers.set("If-Range", validator)?;
            }
        } else if self.revalidates.get() {
            // A conditional request: what did not change is not sent again.
            init.set_cache(RequestCache::NoCache);
        }
        init.set_headers(&headers);
        init.set_signal(Some(signal));
        if let Some(credentials) = self.options.credentials {
            init.set_credentials(credentials);
        }
        Request::new_with_str_and_init(&hop.url.href(), &init).map_err(|_| {
            // The engine's words would show the password.
            let reason = "fetch does not take such an address; pass a user and a password as headers";
            self.failure(request, None, reason.to_owned()).into()
        })
    }
}

pub(super) fn has_entries(headers: &Headers) -> bool {
    headers.entries().next().is_ok_and(|entry| !entry.done())
}

fn range_header(range: &ByteRange) -> Option<String> {
    match range {
        ByteRange::All => None,
        ByteRange::Span(span) | ByteRange::UpTo(span) => {
            Some(format!("bytes={}-{}", span.start, span.end.saturating_sub(1)))
        }
        ByteRange::From(start) => Some(format!("bytes={start}-")),
        ByteRange::Suffix(bytes) => Some(format!("bytes=-{bytes}")),
    }
}
