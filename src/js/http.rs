//! HTTP as a store: a base URL, with keys as percent-encoded path segments under it.
//!
//! The base's query string (a signature, a token) goes along with every request.

use js_sys::{Function, Promise, Reflect, TypeError, Uint8Array, encode_uri_component};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Request, RequestInit, Response, Url};

use super::JsResult;
use super::options::HttpOptions;
use super::store::Answer;
use super::value::{field, message, set, shown};
use crate::error::Error;

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
        let base =
            base.map_err(|_| TypeError::new(&format!("{url:?} is not a URL that can be opened from here")))?;
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

    pub(super) async fn get(&self, key: &str, signal: &AbortSignal) -> Answer {
        let response = match self.fetch(key, signal).await {
            Ok(response) => response,
            Err(error) => return Answer { bytes: Err(error), status: None },
        };
        Answer { status: Some(response.status()), bytes: self.body(key, &response).await }
    }

    async fn body(&self, key: &str, response: &Response) -> JsResult<Option<Uint8Array>> {
        let status = response.status();
        if self.options.missing_statuses.contains(&status) {
            return Ok(None);
        }
        let failed =
            |reason| Error::Store { key: self.public_url(key), status: Some(status), range: None, reason };
        if !response.ok() {
            return Err(failed(refusal(status).to_owned()).into());
        }
        let body = JsFuture::from(response.array_buffer()?).await.map_err(|cause| {
            with_cause(failed(format!("the answer broke off ({}); try again", message(&cause))), &cause)
        })?;
        Ok(Some(Uint8Array::new(&body)))
    }

    async fn fetch(&self, key: &str, signal: &AbortSignal) -> JsResult<Response> {
        let init = RequestInit::new();
        init.set_signal(Some(signal));
        init.set_headers(&self.options.headers);
        if let Some(credentials) = self.options.credentials {
            init.set_credentials(credentials);
        }
        let request = Request::new_with_str_and_init(&self.url(key)?.href(), &init).map_err(|_| {
            // The engine's words would show the password.
            let reason =
                "fetch does not take such an address; pass a user and a password as headers".to_owned();
            Error::Store { key: self.public_url(key), status: None, range: None, reason }
        })?;
        let asked = match &self.options.fetch {
            Some(fetch) => {
                Function::call1(fetch, &JsValue::UNDEFINED, &request).map(|answer| Promise::resolve(&answer))
            }
            None => Ok(global_fetch(&request)),
        };
        let response = match asked {
            Ok(promise) => JsFuture::from(promise).await,
            Err(thrown) => Err(thrown),
        };
        let response = response.map_err(|cause| self.unreachable(key, &cause))?;
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

    fn unreachable(&self, key: &str, cause: &JsValue) -> JsValue {
        let reason = format!(
            "no answer ({}); check the address and the network, and that the host allows this page to \
             read it (CORS: Access-Control-Allow-Origin)",
            message(cause)
        );
        with_cause(Error::Store { key: self.public_url(key), status: None, range: None, reason }, cause)
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
