//! The address of an HTTP store: a base URL, with keys as percent-encoded path segments under it.
//!
//! The base's query string (a signature, a token) goes along with every request, and is never shown.

use js_sys::{TypeError, encode_uri_component};
use wasm_bindgen::JsValue;
use web_sys::Url;

use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::value::field;
use crate::source::{scheme, web_address};

/// A base URL.
pub(crate) struct BaseAddress(Url);

impl BaseAddress {
    /// A base URL; a relative one is resolved as the page's own links are.
    pub(crate) fn new(url: &str) -> JsResult<Self> {
        address(url).map(Self)
    }

    /// Whether it is of another origin than the page; outside of browsers there are no origins.
    pub(crate) fn is_foreign(&self) -> bool {
        let page = field(&field(&js_sys::global(), "location"), "origin").as_string();
        page.is_some_and(|page| page != self.0.origin())
    }

    /// The origin.
    pub(crate) fn origin(&self) -> String {
        self.0.origin()
    }

    /// The URL of a key, or of a path, to be fetched; of a key that is a URL, which no path can be, itself.
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

    /// URL of a key, in the form to be shown.
    pub(crate) fn public_url(&self, key: &str) -> String {
        self.url(key).map_or_else(|_| key.to_owned(), |url| shown(&url))
    }
}

/// A URL as it may be shown: without a query, which may be a signature, and without a password.
pub(crate) fn shown(url: &Url) -> String {
    format!("{}//{}{}", url.protocol(), url.host(), url.pathname())
}

/// Schemes of which nothing can be fetched by key: they have no host, or, of Azure, none that tells the account.
const NO_HOSTS: [&str; 10] =
    ["about:", "abfs:", "abfss:", "az:", "azure:", "blob:", "data:", "file:", "javascript:", "mailto:"];

/// Whether keys can be asked for below a URL. Schemes of applications count, as a page of theirs may be able to.
pub(crate) fn has_host(url: &Url) -> bool {
    !url.host().is_empty() && !NO_HOSTS.contains(&url.protocol().as_str())
}

/// The address over HTTPS of one of a bucket; a query, which may be a signature, goes along.
fn of_bucket(url: &str) -> Option<String> {
    let (object, query) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    scheme(object)?;
    Some(web_address(object)? + query)
}

/// A URL that can be opened; a relative one is resolved as the page's own links are, one of a bucket as the web has it.
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
        // What follows may be a signature, what stands before an @ a password.
        let shown =
            url.split(['?', '#']).next().filter(|shown| !shown.contains('@')).unwrap_or("the address");
        TypeError::new(&format!(
            "{shown:?} is not a URL that can be opened from here; begin it with https:// or http://, as only in a page \
             URLs are relative to something"
        ))
    })?;
    if !has_host(&base) {
        let reason = "begin the URL with https:// or http://, also before a host and its port; a \
                      bucket's is s3://BUCKET/PATH or gs://BUCKET/PATH; of Azure, abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH tells the account too; files on this computer \
                      are opened through a store"
            .to_owned();
        return Err(
            Error::Unsupported { feature: format!("opening {} URLs", base.protocol()), reason }.into()
        );
    }
    base.set_hash("");
    Ok(base)
}
