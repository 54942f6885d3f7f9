//! An HTTP store: the addresses of its values, and the options of its requests.

use std::cell::RefCell;

use js_sys::{Function, Object};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Headers, Url};

use super::address::BaseAddress;
use super::exchange::Exchange;
use super::network::HttpOptions;
use super::persisted::Persisted;
use crate::js::JsResult;
use crate::js::convert::value::{field, object};
use crate::network::http::{HttpHost, HttpPolicy};

/// A base URL, and the options and shared state of requests below it.
pub(crate) struct HttpStore {
    address: BaseAddress,
    options: HttpOptions,
    /// The `fetch` options of every request: headers, credentials, redirect mode.
    pub(crate) sending: Object,
    /// State that requests share.
    pub(crate) host: RefCell<HttpHost>,
}

impl HttpStore {
    /// Makes a store below a URL; a relative URL is resolved against the page's.
    pub(crate) fn new(url: &str, options: HttpOptions) -> JsResult<Self> {
        let address = BaseAddress::new(url)?;
        let has_headers = has_entries(&options.headers);
        let host = HttpHost::new(HttpPolicy {
            missing_statuses: options.missing_statuses.clone(),
            retries: options.retries,
            forbids_redirects: options.forbids_redirects,
            // Browsers do not show where a redirect leads.
            follows_redirects: has_headers && field(&js_sys::global(), "location").is_undefined(),
            // With the caller's headers, every request has a preflight anyway.
            has_preflights: address.is_foreign() && !has_headers,
            // The caller's fetch may not know requests without CORS.
            hides_answers: address.is_foreign() && options.fetch.is_none(),
        });
        let sees_redirects = host.policy.sees_redirects();
        let sending = object([
            ("headers", JsValue::from(&options.headers)),
            ("credentials", options.credentials.map_or(JsValue::UNDEFINED, JsValue::from)),
            ("redirect", if sees_redirects { "manual".into() } else { JsValue::UNDEFINED }),
        ]);
        Ok(Self { address, options, sending, host: RefCell::new(host) })
    }

    /// The named cache of the Cache API, if the option `persist` is set.
    pub(crate) fn persisted(&self) -> Option<&Persisted> {
        self.options.persisted.as_deref()
    }

    /// The URL of a key, including possible secrets.
    pub(crate) fn private_url(&self, key: &str) -> Option<String> {
        self.url(key).ok().map(|url| url.href())
    }

    /// The URL of a key or a path without secrets, to be shown.
    pub(crate) fn public_url(&self, key: &str) -> String {
        self.address.public_url(key)
    }

    /// The URL of a key.
    pub(crate) fn url(&self, key: &str) -> JsResult<Url> {
        self.address.url(key)
    }

    /// The function that sends requests.
    pub(crate) fn fetch(&self) -> Function {
        let fetch = self.options.fetch.clone();
        fetch.unwrap_or_else(|| field(&js_sys::global(), "fetch").unchecked_into())
    }

    /// Makes an exchange with the store's timeout.
    pub(crate) fn exchange(&self, signal: &AbortSignal) -> Exchange {
        Exchange::new(signal, self.options.timeout, &self.address.origin())
    }
}

fn has_entries(headers: &Headers) -> bool {
    headers.entries().next().is_ok_and(|entry| !entry.done())
}
