//! What an answer over HTTP comes to: there or not, the version that was read before, a part or the whole, and its bytes.
//!
//! Invariant: a body that is not read is let go of, so that its connection is free for the next request.

use js_sys::{Function, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use super::JsResult;
use super::http::HttpStore;
use super::retry::Again;
use super::store::Bytes;
use super::value::{field, message, set};
use crate::error::Error;
use crate::source::{ByteRange, ContentRange, Request, Served};

/// The longest body that is read to its end for nothing; of a longer one the connection is given up.
const SHORT: u64 = 64 << 10;

impl HttpStore {
    /// Whether an answer says that the value is there; an error where it says neither.
    pub(super) fn stored(&self, request: &Request, response: &Response) -> JsResult<bool> {
        let status = response.status();
        if self.options.missing_statuses.contains(&status) {
            return Ok(false);
        }
        if response.ok() {
            return Ok(true);
        }
        Err(self.failure(request, Some(status), refusal(status).to_owned()).into())
    }

    /// The bytes of an answer; those to ranges are checked to be of the range, and of the version that was read before.
    pub(super) async fn body(
        &self,
        request: &Request,
        response: &Response,
        again: &mut Option<Again>,
    ) -> JsResult<Bytes> {
        let status = response.status();
        let is_whole = match self.part(request, response) {
            Ok(is_whole) => is_whole,
            Err(reason) => {
                leave(response).await;
                return Err(self.failure(request, Some(status), reason.to_owned()).into());
            }
        };
        let body = JsFuture::from(response.array_buffer()?).await.map_err(|cause| {
            *again = Some(Again::SOON);
            let reason = format!("the answer broke off ({}); try again", message(&cause));
            with_cause(self.failure(request, Some(status), reason), &cause)
        })?;
        let bytes = Uint8Array::new(&body);
        if let ByteRange::Suffix(suffix) = request.range
            && !is_whole
            && u64::from(bytes.length()) != suffix
        {
            // What came is of another length, and the host did not say, or hid, which bytes it is.
            self.habits.note_misread(None);
        }
        Ok(if is_whole { Bytes::Whole(bytes) } else { Bytes::Asked(bytes) })
    }

    /// Whether an answer holds all of a value of which a part was asked for; an error where, by its headers, it holds
    /// other bytes than were asked for.
    fn part(&self, request: &Request, response: &Response) -> Result<bool, &'static str> {
        let is_partial = response.status() == 206;
        let told = header(response, "Content-Range").and_then(|told| ContentRange::parse(&told));
        let served = told.filter(|_| is_partial).map(|told| told.served(&request.range));
        if request.range == ByteRange::All {
            return match served {
                Some(Served::Asked) => Ok(false),
                None if !is_partial => Ok(false),
                _ => Err(
                    "part of the value came where all of it was asked for; a cache or proxy on the way may \
                          be at fault, or a header Range among those that were given",
                ),
            };
        }
        // A host that ignores ranges answers 200 and gives everything.
        self.habits.note_range(!is_partial);
        if header(response, "Content-Type").is_some_and(|kind| kind.starts_with("text/html")) {
            return Err("an HTML page came: some hosts serve one, with status 200, for what is not there");
        }
        let version = header(response, "ETag").or_else(|| header(response, "Last-Modified"));
        if version.is_some_and(|version| !self.known.is_same(&request.key, &version)) {
            self.known.forget(&request.key);
            return Err("the value was changed while it was read; read again, or refresh() the array");
        }
        if served == Some(Served::Other) {
            if let ByteRange::Suffix(_) = request.range {
                self.habits.note_misread(told.and_then(|told| told.total));
            }
            return Err("another part came than was asked for; the host does not understand ranges");
        }
        let length = header(response, "Content-Length").and_then(|length| length.parse::<u64>().ok());
        if let (ByteRange::From(start), Some(length)) = (&request.range, length)
            && length > self.habits.longest_end(*start)
        {
            return Err("the value is longer than those before it");
        }
        Ok(!is_partial || served == Some(Served::Whole))
    }
}

/// Lets go of a body that nobody reads.
pub(super) async fn leave(response: &Response) {
    let length = header(response, "Content-Length").and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length <= SHORT) {
        if let Ok(body) = response.array_buffer() {
            let _ = JsFuture::from(body).await;
        }
        return;
    }
    let body = field(response, "body");
    if let Ok(cancel) = field(&body, "cancel").dyn_into::<Function>()
        && let Ok(left) = cancel.call0(&body)
    {
        let _ = JsFuture::from(Promise::resolve(&left)).await;
    }
}

/// Length of a value of whose end an answer holds other bytes than were asked for, where the host tells it.
pub(super) fn misread_length(request: &Request, response: &Response) -> Option<u64> {
    let told = ContentRange::parse(&header(response, "Content-Range").filter(|_| response.status() == 206)?)?;
    let is_misread =
        matches!(request.range, ByteRange::Suffix(_)) && told.served(&request.range) == Served::Other;
    told.total.filter(|_| is_misread)
}

/// A header of an answer, where it may be read.
pub(super) fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).ok().flatten()
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
        429 => {
            "the host asks for fewer requests, and still did after the retries; lower concurrency and try again later"
        }
        500..=599 => "the host failed, and again at each retry; try again later",
        _ => "the host did not answer with the bytes",
    }
}

pub(super) fn with_cause(error: Error, cause: &JsValue) -> JsValue {
    let error = JsValue::from(error);
    set(&error, "cause", cause);
    error
}
