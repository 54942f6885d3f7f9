//! HTTP as a store: the addresses of its values, and the options that requests are sent with.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::JsCast;
use web_sys::{AbortSignal, Headers, Request, RequestCache, RequestInit, Url};

use super::JsResult;
use super::address::Address;
use super::exchange::Exchange;
use super::network::HttpOptions;
use super::persisted::Persisted;
use super::value::{field, set};
use crate::source::http::{CacheMode, HttpHost, HttpPolicy, Method, RequestHead};

/// A base URL and how to ask below it.
pub(super) struct HttpStore {
    address: Address,
    options: HttpOptions,
    /// Everything that requests share.
    pub(super) host: RefCell<HttpHost>,
}

impl HttpStore {
    /// A store below a URL; a relative one is resolved as the page's own links are.
    pub(super) fn new(url: &str, options: HttpOptions) -> JsResult<Self> {
        let address = Address::new(url)?;
        let has_headers = has_entries(&options.headers);
        let host = HttpHost::new(HttpPolicy {
            missing_statuses: options.missing_statuses.clone(),
            retries: options.retries,
            forbids_redirects: options.forbids_redirects,
            // Browsers do not show where a redirect leads.
            follows_redirects: has_headers && field(&js_sys::global(), "location").is_undefined(),
            // Headers of the caller's have their preflight anyway.
            has_preflights: address.is_foreign() && !has_headers,
        });
        Ok(Self { address, options, host: RefCell::new(host) })
    }

    /// The browser's cache for it beyond the page's life, where that was asked for.
    pub(super) fn persisted(&self) -> Option<Rc<Persisted>> {
        self.options.persisted.clone()
    }

    /// The URL of a key with all that may be secret in it.
    pub(super) fn private_url(&self, key: &str) -> Option<String> {
        self.url(key).ok().map(|url| url.href())
    }

    /// The URL of a key, or of a path, to be shown: without what may be secret in it.
    pub(super) fn public_url(&self, key: &str) -> String {
        self.address.public_url(key)
    }

    /// The URL of a key.
    pub(super) fn url(&self, key: &str) -> JsResult<Url> {
        self.address.url(key)
    }

    /// The function that sends requests.
    pub(super) fn fetch(&self) -> Function {
        let fetch = self.options.fetch.clone();
        fetch.unwrap_or_else(|| field(&js_sys::global(), "fetch").unchecked_into())
    }

    /// A new exchange, with the time that it may be silent for.
    pub(super) fn exchange(&self, signal: &AbortSignal) -> Exchange {
        Exchange::new(signal, self.options.timeout, &self.address.origin())
    }

    /// A request as `fetch` takes it.
    pub(super) fn request(&self, head: &RequestHead, url: &Url, signal: &AbortSignal) -> JsResult<Request> {
        let headers = if head.carries_headers {
            Headers::new_with_headers(&self.options.headers)?
        } else {
            Headers::new()?
        };
        let init = RequestInit::new();
        init.set_method(match head.method {
            Method::Get => "GET",
            Method::Head => "HEAD",
        });
        if self.host.borrow().policy.sees_redirects() {
            set(&init, "redirect", &"manual".into());
        }
        for (name, value) in [("Range", &head.range), ("If-Range", &head.if_range)] {
            if let Some(value) = value {
                headers.set(name, value)?;
            }
        }
        match head.cache {
            CacheMode::Default => {}
            CacheMode::Revalidate => init.set_cache(RequestCache::NoCache),
            CacheMode::Bypass => init.set_cache(RequestCache::NoStore),
        }
        init.set_headers(&headers);
        init.set_signal(Some(signal));
        if let Some(credentials) = self.options.credentials {
            init.set_credentials(credentials);
        }
        Request::new_with_str_and_init(&url.href(), &init)
    }
}

fn has_entries(headers: &Headers) -> bool {
    headers.entries().next().is_ok_and(|entry| !entry.done())
}
