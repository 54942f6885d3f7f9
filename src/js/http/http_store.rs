//! An HTTP store: its base URL, with keys as percent-encoded path segments under it, and the options of its requests.
//!
//! The base URL's query string (a signature, a token) is sent with every request, and is never shown.

use std::cell::RefCell;

use js_sys::{Function, Object, TypeError, encode_uri_component};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Headers, Url};

use super::options::HttpOptions;
use super::persisted::Persisted;
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::value::{field, object};
use crate::network::http::{HttpHost, HttpPolicy};
use crate::network::{scheme, web_address};

/// A base URL.
pub(crate) struct BaseAddress(Url);

impl BaseAddress {
    /// Parses a base URL; a relative URL is resolved against the page's.
    pub(crate) fn new(url: &str) -> JsResult<Self> {
        address(url).map(Self)
    }

    /// Whether the URL has another origin than the page; false outside of browsers.
    pub(crate) fn is_foreign(&self) -> bool {
        let page = field(&field(&js_sys::global(), "location"), "origin").as_string();
        page.is_some_and(|page| page != self.0.origin())
    }

    /// The origin of the URL.
    pub(crate) fn origin(&self) -> String {
        self.0.origin()
    }

    /// The URL of a key or a path, to be fetched. A key that is a URL is returned as it is; no path looks like a URL.
    pub(crate) fn url(&self, key: &str) -> JsResult<Url> {
        if scheme(key).is_some() {
            return Url::new(key);
        }
        let segments = key.split('/').map(|segment| String::from(encode_uri_component(segment)));
        let encoded: Vec<String> = segments.collect();
        let url = Url::new(&self.0.href())?;
        url.set_pathname(&format!("{}/{}", self.0.pathname().trim_end_matches('/'), encoded.join("/")));
        Ok(url)
    }

    /// URL of a key without secrets, to be shown.
    pub(crate) fn public_url(&self, key: &str) -> String {
        self.url(key).map_or_else(|_| key.to_owned(), |url| shown(&url))
    }
}

/// A URL without secrets, to be shown: without its query, which may be a signature, and without a password.
pub(crate) fn shown(url: &Url) -> String {
    format!("{}//{}{}", url.protocol(), url.host(), url.pathname())
}

/// Schemes whose URLs cannot be read by key: they have no host, or, for Azure, a host that lacks the account, or they are
/// of programs that browsers do not have.
#[rustfmt::skip]
const NO_HOSTS: [&str; 42] = [
    "about:", "abfs:", "abfss:", "arraylake:", "az:", "azure:", "blob:", "data:", "dropbox:", "file:", "ftp:", "ftps:",
    "gdrive:", "git:", "github:", "hdfs:", "hf:", "icechunk:", "javascript:", "kerchunk:", "mailto:", "memory:", "n5:",
    "oci:", "oss:", "r2:", "reference:", "rsync:", "scp:", "sftp:", "smb:", "ssh:", "tar:", "tigris:", "webdav:",
    "webhdfs:", "ws:", "wss:", "zarr:", "zarr2:", "zarr3:", "zip:",
];

/// Whether keys can be requested below a URL. Schemes of applications are allowed: their pages may support them.
pub(crate) fn has_host(url: &Url) -> bool {
    !url.host().is_empty() && !NO_HOSTS.contains(&url.protocol().as_str())
}

/// HTTPS address for the URL of a bucket, with its query, which may be a signature; `None` for other URLs.
fn of_bucket(url: &str) -> Option<String> {
    let (object, query) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    scheme(object)?;
    Some(web_address(object)? + query)
}

/// Parses a URL that can be opened. A relative URL is resolved against the page's; a bucket's becomes an HTTPS URL.
///
/// # Errors
/// `TypeError` where the text is not a URL, [`Error::Unsupported`] where its scheme cannot be opened.
pub(crate) fn address(url: &str) -> JsResult<Url> {
    let bucket = of_bucket(url);
    let url = bucket.as_deref().unwrap_or(url);
    let global = js_sys::global();
    let page = [field(&field(&global, "document"), "baseURI"), field(&field(&global, "location"), "href")];
    let page = page.iter().find_map(JsValue::as_string);
    let base = match page {
        Some(page) => Url::new_with_base(url, &page),
        None => Url::new(url),
    };
    let base = base.map_err(|_| {
        // A query may hold a signature; the part before an @ may hold a password.
        let shown =
            url.split(['?', '#']).next().filter(|shown| !shown.contains('@')).unwrap_or("the address");
        TypeError::new(&format!(
            "{shown:?} is not a URL that can be opened here; begin it with https:// or http:// (relative URLs work in \
             pages only)"
        ))
    })?;
    if !has_host(&base) {
        let reason = "begin the URL with https:// or http://, also before HOST:PORT; for a bucket, use \
                      s3://BUCKET/PATH or gs://BUCKET/PATH; for Azure, \
                      abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH; open files on this computer through a store"
            .to_owned();
        return Err(
            Error::Unsupported { feature: format!("opening {} URLs", base.protocol()), reason }.into()
        );
    }
    base.set_hash("");
    Ok(base)
}

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

    /// Milliseconds without a byte after which a request fails; 0 means never.
    pub(crate) fn timeout(&self) -> u64 {
        self.options.timeout
    }

    /// The origin of the store.
    pub(crate) fn origin(&self) -> String {
        self.address.origin()
    }
}

fn has_entries(headers: &Headers) -> bool {
    headers.entries().next().is_ok_and(|entry| !entry.done())
}
