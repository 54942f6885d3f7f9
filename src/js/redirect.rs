//! Redirects: forbidden where the caller says so, and followed here where the platform lets us see where they lead.
//!
//! Invariant: outside of browsers, headers of the caller's go to the origin that they were given for alone. Browsers tell
//! nobody where a redirect leads; they follow it, and keep all headers but Authorization.

use web_sys::{Headers, Response, Url};

use super::answer::header;
use super::http::{HttpStore, has_entries};
use super::value::field;

/// The most redirects that one request follows: 20, as `fetch` does.
const MOST: u32 = 20;

/// Where a request goes, and the caller's headers as far as they go along.
pub(super) struct Hop {
    pub(super) url: Url,
    pub(super) headers: Headers,
    before: u32,
}

impl Hop {
    /// The first one.
    pub(super) fn new(url: Url, headers: &Headers) -> Self {
        Self { url, headers: headers.clone(), before: 0 }
    }
}

impl HttpStore {
    /// Whether `fetch` is to hand redirects over.
    pub(super) fn sees_redirects(&self) -> bool {
        self.options.refuses_redirects || self.follows()
    }

    /// Whether redirects are followed here: outside of browsers, where there are headers to be kept back.
    fn follows(&self) -> bool {
        field(&js_sys::global(), "location").is_undefined() && has_entries(&self.options.headers)
    }

    /// Where an answer leads on to, if it does.
    pub(super) fn next(&self, response: &Response, hop: &Hop) -> Result<Option<Hop>, &'static str> {
        let status = response.status();
        let is_hidden = field(response, "type").as_string().is_some_and(|kind| kind == "opaqueredirect");
        let is_redirect = is_hidden || matches!(status, 301 | 302 | 303 | 307 | 308);
        if !is_redirect || !self.sees_redirects() || self.options.missing_statuses.contains(&status) {
            return Ok(None);
        }
        if self.options.refuses_redirects {
            return Err(
                "the host redirects to another address, which the option redirect: \"error\" forbids",
            );
        }
        let Some(location) = header(response, "Location") else { return Ok(None) };
        let url = Url::new_with_base(&location, &hop.url.href()).ok();
        let url = url.filter(|url| matches!(url.protocol().as_str(), "http:" | "https:"));
        let url = url.ok_or("the host redirects to what is no address of HTTP")?;
        if hop.before == MOST {
            return Err("the host redirects again and again");
        }
        let is_near = url.origin() == hop.url.origin();
        let headers = if is_near { hop.headers.clone() } else { none()? };
        Ok(Some(Hop { url, headers, before: hop.before + 1 }))
    }
}

fn none() -> Result<Headers, &'static str> {
    Headers::new().map_err(|_| "there are no headers here")
}
