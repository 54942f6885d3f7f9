//! The network options of `open`.

use std::rc::Rc;

use js_sys::{Function, TypeError};
use wasm_bindgen::JsValue;
use web_sys::{Headers, RequestCredentials};

use super::persisted::Persisted;
use crate::js::JsResult;
use crate::js::convert::value::{amount, credentials, field, function, headers, list, text};
use crate::network::Joining;

/// Default of `concurrency`: requests in flight for one array.
///
/// HTTP/1.1 browsers send six at a time to one host and queue the rest; over HTTP/2 and 3, 24 keep
/// the connection busy while chunks decode.
const DEFAULT_CONCURRENCY: u64 = 24;

/// Defaults of `coalesceGap` and `coalesceMax`, by which near ranges of one value are joined to one request.
///
/// A gap costs less than a request. The maximum keeps the first ranges from waiting for too many others. Measured by
/// `make bench` over 50 ms and 20 MB/s: for tiles of 5 kB, a gap of 32 KiB is the fastest between 0 and 1 MiB; for
/// tiles of 77 kB, it is as fast as any, and 1 MiB doubles the bytes. A maximum from 1 to 64 MiB makes no difference
/// there.
const DEFAULT_JOINING: Joining = Joining { gap: 32 << 10, most: 16 << 20 };

/// Default of `retries`: repetitions of a failed request, within one and a half seconds or as the host asks.
const DEFAULT_RETRIES: u64 = 3;

/// Default of `timeout`: milliseconds without a byte after which a request fails: 30 seconds.
///
/// Only hosts that compute a value on request are silent for longer. With the retries, a host that hangs is an error
/// after two minutes.
const DEFAULT_TIMEOUT: u64 = 30_000;

/// Network options of a source.
#[derive(Clone)]
pub(crate) struct NetworkOptions {
    pub(crate) http: HttpOptions,
    pub(crate) on_request: Option<Function>,
    /// Function that turns the addresses in a virtual store's references into URLs.
    pub(crate) resolve_url: Option<Function>,
    pub(crate) concurrency: usize,
    pub(crate) joining: Joining,
}

/// Options of HTTP requests.
#[derive(Clone)]
pub(crate) struct HttpOptions {
    pub(crate) fetch: Option<Function>,
    pub(crate) headers: Headers,
    pub(crate) credentials: Option<RequestCredentials>,
    pub(crate) missing_statuses: Vec<u16>,
    /// Whether a redirect is an error.
    pub(crate) forbids_redirects: bool,
    pub(crate) retries: u32,
    /// Milliseconds without a byte after which a request fails; 0 means never.
    pub(crate) timeout: u64,
    pub(crate) persisted: Option<Rc<Persisted>>,
}

impl NetworkOptions {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Self> {
        let concurrency = amount(options, "concurrency", 1)?.unwrap_or(DEFAULT_CONCURRENCY);
        Ok(Self {
            concurrency: usize::try_from(concurrency).unwrap_or(usize::MAX),
            joining: Joining {
                gap: amount(options, "coalesceGap", 0)?.unwrap_or(DEFAULT_JOINING.gap),
                most: amount(options, "coalesceMax", 0)?.unwrap_or(DEFAULT_JOINING.most),
            },
            on_request: function(options, "onRequest")?,
            resolve_url: function(options, "resolveUrl")?,
            http: HttpOptions::parse(options)?,
        })
    }
}

impl HttpOptions {
    fn parse(options: &JsValue) -> JsResult<Self> {
        Ok(Self {
            fetch: function(options, "fetch")?,
            headers: headers(&field(options, "headers"))?,
            credentials: credentials(&field(options, "credentials"))?,
            persisted: text(options, "persist")?.map(|name| Rc::new(Persisted::of_source(&name))),
            missing_statuses: list(options, "missingStatuses", status)?.unwrap_or_else(|| vec![404]),
            forbids_redirects: match text(options, "redirect")?.as_deref() {
                None | Some("follow") => false,
                Some("error") => true,
                Some(_) => {
                    return Err(TypeError::new("the option redirect must be \"error\" or \"follow\"").into());
                }
            },
            timeout: amount(options, "timeout", 0)?.unwrap_or(DEFAULT_TIMEOUT),
            retries: u32::try_from(amount(options, "retries", 0)?.unwrap_or(DEFAULT_RETRIES))
                .unwrap_or(u32::MAX),
        })
    }

    /// These options for other hosts that a virtual store refers to: without headers and credentials, which are meant
    /// for the store's own host.
    pub(crate) fn for_strangers(&self) -> JsResult<Self> {
        Ok(Self { headers: Headers::new()?, credentials: None, ..self.clone() })
    }
}

/// Parses an HTTP status.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number up to 65,535")]
fn status(value: &JsValue) -> Option<u16> {
    value
        .as_f64()
        .filter(|status| status.fract() == 0.0 && (0.0..=65_535.0).contains(status))
        .map(|status| status as u16)
}
