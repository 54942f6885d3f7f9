//! The meaning of an answer over HTTP: there or not, the version that was read before, a part or the whole, and its bytes.

use js_sys::{TypeError, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Response;

use super::JsResult;
use super::exchange::Exchange;
use super::http::HttpStore;
use super::store::Bytes;
use super::value::{message, set};
use crate::error::Error;
use crate::source::http::RetryAfter;
use crate::source::{ByteRange, ContentRange, Request, Served};

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

    /// The bytes of an answer, `most` at the most where they are a whole value; those of a range are checked to be of the
    /// range, and of the version that was read before.
    pub(super) async fn body(
        &self,
        (request, most): (&Request, u64),
        response: &Response,
        exchange: &Exchange,
        again: &mut Option<RetryAfter>,
    ) -> JsResult<Bytes> {
        let status = response.status();
        let is_whole = match self.part(request, response) {
            Ok(is_whole) => is_whole,
            Err(reason) => {
                exchange.leave(response).await;
                return Err(self.failure(request, Some(status), reason.to_owned()).into());
            }
        };
        if is_whole && most == 0 {
            // Nobody reads it, or the two bytes that show that it is stored: it is.
            exchange.leave(response).await;
            return Ok(Bytes::Asked(Uint8Array::new_with_length(2)));
        }
        let (most, is_range) = match &request.range {
            ByteRange::Span(span) | ByteRange::UpTo(span) if !is_whole => (span.end - span.start, true),
            ByteRange::Suffix(bytes) if !is_whole => (*bytes, true),
            ByteRange::From(start) if !is_whole => (self.capabilities.borrow().longest_end(*start), false),
            _ => (most, false),
        };
        let body = exchange.read(response, most).await.map_err(|cause| {
            *again = Some(RetryAfter::SOON);
            let reason = format!("the answer broke off ({}); try again", message(&cause));
            with_cause(self.failure(request, Some(status), reason), &cause)
        })?;
        let length = body.as_ref().ok().map(|bytes| u64::from(bytes.length()));
        let is_hidden = header(response, "Content-Range").is_none();
        // A body without end is no other part of the value.
        let length = length.or_else(|| announced(response));
        if let (ByteRange::Suffix(asked), Some(came), false) = (&request.range, length, is_whole)
            && is_hidden
            && *asked != came
        {
            self.capabilities.borrow_mut().note_misread_suffix(None);
        } else if is_range && length > Some(most) {
            // Hosts that lose the connection may announce more than they have.
            *again = Some(RetryAfter::SOON);
        }
        let bytes = body.map_err(|error| {
            if error.is_instance_of::<TypeError>() {
                return error;
            }
            self.failure(request, Some(status), message(&error)).into()
        })?;
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
        self.capabilities.borrow_mut().note_range(!is_partial);
        if header(response, "Content-Type").is_some_and(|kind| kind.starts_with("text/html")) {
            return Err("an HTML page came: some hosts serve one, with status 200, for what is not there");
        }
        let version = header(response, "ETag").or_else(|| header(response, "Last-Modified"));
        if version.is_some_and(|version| !self.versions.borrow_mut().accept(&request.key, &version)) {
            return Err("the value was changed while it was read; read again, or refresh() the array");
        }
        if served == Some(Served::Other) {
            if let ByteRange::Suffix(_) = request.range {
                self.capabilities.borrow_mut().note_misread_suffix(told.and_then(|told| told.total));
            }
            return Err("another part came than was asked for; the host does not understand ranges");
        }
        Ok(!is_partial || served == Some(Served::Whole))
    }
}

/// Length of an answer's body, where the host announces it.
pub(super) fn announced(response: &Response) -> Option<u64> {
    header(response, "Content-Length")?.parse().ok()
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
