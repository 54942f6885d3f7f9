//! HTTP as a store: a base URL, with keys as percent-encoded path segments under it.
//!
//! The base's query string (a signature, a token) goes along with every request.

use js_sys::{Function, Promise, Reflect, TypeError, Uint8Array, encode_uri_component};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, Request, RequestCache, RequestInit, Response, Url};

use super::JsResult;
use super::options::HttpOptions;
use super::store::{Answer, Bytes, span};
use super::value::{field, message, set, shown};
use crate::error::Error;
use crate::source::{self, ByteRange};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch)]
    fn global_fetch(request: &Request) -> Promise;
}

/// A base URL and how to ask below it.
pub(super) struct HttpStore {
    base: Url,
    options: HttpOptions,
}

impl HttpStore {
    /// A store below a URL; a relative one is resolved as the page's own links are.
    pub(super) fn new(url: &str, options: HttpOptions) -> JsResult<Self> {
        let global = js_sys::global();
        let page =
            [field(&field(&global, "document"), "baseURI"), field(&field(&global, "location"), "href")];
        let page = page.iter().find_map(JsValue::as_string);
        let base = match page {
            Some(page) => Url::new_with_base(url, &page),
            None => Url::new(url),
        };
        let base = base.map_err(|_| {
            // What follows may be a signature, what stands before an @ a password.
            let shown =
                url.split(['?', '#']).next().filter(|shown| !shown.contains('@')).unwrap_or("the address");
            TypeError::new(&format!("{shown:?} is not a URL that can be opened from here"))
        })?;
        base.set_hash("");
        Ok(Self { base, options })
    }

    /// The URL of a key, or of a path, to be fetched.
    fn url(&self, key: &str) -> JsResult<Url> {
        let segments = key.split('/').map(|segment| String::from(encode_uri_component(segment)));
        let encoded: Vec<String> = segments.collect();
        let url = Url::new(&self.base.href())?;
        url.set_pathname(&format!("{}/{}", self.base.pathname().trim_end_matches('/'), encoded.join("/")));
        Ok(url)
    }

    /// The URL of a key, or of a path, to be shown: without what may be secret in it.
    pub(super) fn public_url(&self, key: &str) -> String {
        self.url(key).map_or_else(|_| key.to_owned(), |url| without_secrets(&url))
    }

    pub(super) async fn get(&self, request: &source::Request, signal: &AbortSignal) -> Answer {
        let response = match self.fetch(request, signal).await {
            Ok(response) => response,
            Err(error) => return Answer { bytes: Err(error), status: None },
        };
        Answer { status: Some(response.status()), bytes: self.body(request, &response).await }
    }

    async fn body(&self, request: &source::Request, response: &Response) -> JsResult<Option<Bytes>> {
        let status = response.status();
        if self.options.missing_statuses.contains(&status) {
            return Ok(None);
        }
        let failed = |reason| self.failure(request, Some(status), reason);
        if !response.ok() {
            return Err(failed(refusal(status).to_owned()).into());
        }
        let body = JsFuture::from(response.array_buffer()?).await.map_err(|cause| {
            with_cause(failed(format!("the answer broke off ({}); try again", message(&cause))), &cause)
        })?;
        let bytes = Uint8Array::new(&body);
        // A host that ignores ranges answers 200 and gives everything.
        let is_whole = request.range != ByteRange::All && status != 206;
        Ok(Some(if is_whole { Bytes::Whole(bytes) } else { Bytes::Asked(bytes) }))
    }

    fn failure(&self, request: &source::Request, status: Option<u16>, reason: String) -> Error {
        Error::Store { key: self.public_url(&request.key), status, range: span(&request.range), reason }
    }

    async fn fetch(&self, request: &source::Request, signal: &AbortSignal) -> JsResult<Response> {
        let headers = Headers::new_with_headers(&self.options.headers)?;
        let init = RequestInit::new();
        if let Some(range) = range_header(&request.range) {
            headers.set("Range", &range)?;
            // In the default cache mode browsers ask for the ranges of one URL one after the other.
            init.set_cache(RequestCache::NoStore);
        }
        init.set_headers(&headers);
        init.set_signal(Some(signal));
        if let Some(credentials) = self.options.credentials {
            init.set_credentials(credentials);
        }
        let asked = Request::new_with_str_and_init(&self.url(&request.key)?.href(), &init).map_err(|_| {
            // The engine's words would show the password.
            let reason = "fetch does not take such an address; pass a user and a password as headers";
            self.failure(request, None, reason.to_owned())
        })?;
        let asked = match &self.options.fetch {
            Some(fetch) => {
                Function::call1(fetch, &JsValue::UNDEFINED, &asked).map(|answer| Promise::resolve(&answer))
            }
            None => Ok(global_fetch(&asked)),
        };
        let response = match asked {
            Ok(promise) => JsFuture::from(promise).await,
            Err(thrown) => Err(thrown),
        };
        let response = response.map_err(|cause| {
            let reason = format!(
                "no answer ({}); check the address and the network, and that the host allows this page to \
                 read it (CORS: Access-Control-Allow-Origin)",
                message(&cause)
            );
            with_cause(self.failure(request, None, reason), &cause)
        })?;
        // A fetch of the caller's may answer with another realm's or library's Response: ask for what is used.
        if Reflect::get(&response, &"arrayBuffer".into()).is_ok_and(|method| method.is_function()) {
            return Ok(response.unchecked_into());
        }
        Err(TypeError::new(&format!(
            "the option fetch answered with {}; expected a Response",
            shown(&response)
        ))
        .into())
    }
}

fn range_header(range: &ByteRange) -> Option<String> {
    match range {
        ByteRange::All => None,
        ByteRange::Span(span) => Some(format!("bytes={}-{}", span.start, span.end.saturating_sub(1))),
        ByteRange::Suffix(bytes) => Some(format!("bytes=-{bytes}")),
    }
}

/// A URL without its query, which may be a signature, and without a password.
fn without_secrets(url: &Url) -> String {
    format!("{}//{}{}", url.protocol(), url.host(), url.pathname())
}

/// What an HTTP status means to someone who reads Zarr.
fn refusal(status: u16) -> &'static str {
    match status {
        401 => "the host wants a login; pass headers, credentials or a fetch that signs requests",
        403 => {
            "the host refuses; many buckets answer 403 for what is not there: \
             if this one does, pass missingStatuses: [403, 404], else check the permissions"
        }
        416 => "the value is shorter than its index says",
        404 | 410 => "nothing is there, and missingStatuses does not list this status",
        429 => "the host asks for fewer requests; lower concurrency and try again later",
        500..=599 => "the host failed; try again later",
        _ => "the host did not answer with the bytes",
    }
}

fn with_cause(error: Error, cause: &JsValue) -> JsValue {
    let error = JsValue::from(error);
    set(&error, "cause", cause);
    error
}
