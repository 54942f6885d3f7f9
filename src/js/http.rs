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

    /// The URL of a key, or of a path.
    pub(super) fn url(&self, key: &str) -> String {
        let segments = key.split('/').map(|segment| String::from(encode_uri_component(segment)));
        let encoded: Vec<String> = segments.collect();
        let base = self.base.pathname();
        let Ok(url) = Url::new(&self.base.href()) else { return self.base.href() };
        url.set_pathname(&format!("{}/{}", base.trim_end_matches('/'), encoded.join("/")));
        url.href()
    }

    pub(super) async fn get(&self, key: &str, signal: &AbortSignal) -> JsResult<Answer> {
        let url = self.url(key);
        let response = self.fetch(&url, signal).await.map_err(|cause| unreachable(&url, &cause))?;
        let status = response.status();
        if self.options.missing_statuses.contains(&status) {
            return Ok(Answer { bytes: None, status: Some(status) });
        }
        if !response.ok() {
            let reason = refusal(status).to_owned();
            return Err(Error::Store { key: url, status: Some(status), range: None, reason }.into());
        }
        let body = JsFuture::from(response.array_buffer()?)
            .await
            .map_err(|cause| cut_short(&url, status, &cause))?;
        Ok(Answer { bytes: Some(Uint8Array::new(&body)), status: Some(status) })
    }

    async fn fetch(&self, url: &str, signal: &AbortSignal) -> JsResult<Response> {
        let init = RequestInit::new();
        init.set_signal(Some(signal));
        init.set_headers(&self.options.headers);
        if let Some(credentials) = self.options.credentials {
            init.set_credentials(credentials);
        }
        let request = Request::new_with_str_and_init(url, &init)?;
        let promise = match &self.options.fetch {
            Some(fetch) => Promise::resolve(&Function::call1(fetch, &JsValue::UNDEFINED, &request)?),
            None => global_fetch(&request),
        };
        let response = JsFuture::from(promise).await?;
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

fn unreachable(url: &str, cause: &JsValue) -> JsValue {
    let said = message(cause);
    let reason = format!(
        "no answer ({said}); check the address and the network, and that the host allows this page to \
         read it (CORS: Access-Control-Allow-Origin)"
    );
    with_cause(Error::Store { key: url.to_owned(), status: None, range: None, reason }, cause)
}

fn cut_short(url: &str, status: u16, cause: &JsValue) -> JsValue {
    let reason = format!("the answer broke off ({}); try again", message(cause));
    with_cause(Error::Store { key: url.to_owned(), status: Some(status), range: None, reason }, cause)
}

fn with_cause(error: Error, cause: &JsValue) -> JsValue {
    let error = JsValue::from(error);
    set(&error, "cause", cause);
    error
}
