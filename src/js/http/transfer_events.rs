//! Conversion of a transfer's settled promises to events of its state machine, and of its result to bytes or an error.

use std::mem::take;

use js_sys::{Date, RangeError, TypeError, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use super::exchange::head;
use super::transfer::{Awaited, Transfer, lost};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::bytes::Bytes;
use crate::js::convert::value::{field, message, set, shown};
use crate::js::support::report::span;
use crate::network::Request;
use crate::network::http::{HttpEvent, HttpFailure, HttpResult, ReceivedBytes, ResponseHead, UNREAD_BYTES};

impl Transfer<'_> {
    /// The event for a settled promise.
    pub(crate) fn event(&mut self, settled: JsResult<JsValue>) -> HttpEvent {
        if self.signal.aborted() {
            self.thrown = Some(self.signal.reason());
            return HttpEvent::Aborted;
        }
        let awaited = take(&mut self.awaited);
        let thrown = match (awaited, settled) {
            (Awaited::Nothing, _) => return HttpEvent::Ready,
            (Awaited::Response, Ok(answer)) => match self.answered(answer) {
                Ok(head) => return HttpEvent::Head(head),
                Err(thrown) => thrown,
            },
            (Awaited::Body, Ok(body)) => match body.dyn_into::<Uint8Array>() {
                Ok(body) => {
                    let length = body.length().into();
                    self.body = Some(body);
                    return HttpEvent::Body(length);
                }
                Err(error) if error.is_instance_of::<RangeError>() => {
                    return HttpEvent::TooLong(message(&error));
                }
                Err(error) => error,
            },
            (_, Err(cause)) => {
                let message = message(&cause);
                let is_late = awaited == Awaited::Response && field(&cause, "name") == "TimeoutError";
                self.thrown = Some(cause);
                return if is_late { HttpEvent::Late(message) } else { HttpEvent::Failed(message) };
            }
        };
        self.thrown = Some(thrown);
        HttpEvent::Thrown
    }

    /// Takes the response of `fetch`, which may be the caller's function.
    fn answered(&mut self, answer: JsValue) -> JsResult<ResponseHead> {
        let Some(lines) = head(&answer)? else {
            let message = format!("the option fetch must return a Response, not {}", shown(&answer));
            return Err(TypeError::new(&message).into());
        };
        self.response = Some(answer.unchecked_into());
        Ok(ResponseHead::parse(&lines, |date| Date::parse(date) - Date::now()))
    }

    /// The result for the caller of the store.
    pub(crate) fn result(&mut self, result: HttpResult) -> JsResult<Option<Bytes>> {
        let failure = match result {
            Ok(None) => return Ok(None),
            Ok(Some(found)) => return Ok(Some(self.bytes(found))),
            Err(failure) => failure,
        };
        let thrown = self.thrown.take();
        let HttpFailure::Told { status, reason } = failure else {
            return Err(thrown.unwrap_or_else(lost));
        };
        let error = self.failure(status, reason);
        if let Some(cause) = thrown {
            set(&error, "cause", &cause);
        }
        Err(error)
    }

    fn bytes(&mut self, found: ReceivedBytes) -> Bytes {
        let body = self.body.take();
        match (found, body) {
            (ReceivedBytes::Part { skip: 0, .. }, Some(body)) => Bytes::Asked(body),
            (ReceivedBytes::Part { skip, .. }, Some(body)) => {
                let start = u32::try_from(skip).unwrap_or(u32::MAX);
                Bytes::Asked(body.subarray(start, body.length()))
            }
            (ReceivedBytes::Whole(_), Some(body)) => Bytes::Whole(body),
            (_, _) => Bytes::Asked(Uint8Array::new_with_length(UNREAD_BYTES)),
        }
    }

    pub(crate) fn failure(&self, status: Option<u16>, reason: String) -> JsValue {
        let Request { key, range } = self.request.asked();
        Error::Store { key: self.store.public_url(key), status, range: span(range), reason }.into()
    }
}
