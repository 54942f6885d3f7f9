//! What came of requests for a system: what it was told may be what it leads to, and is not asked for again then.

use std::rc::Rc;

use js_sys::Uint8Array;

use super::JsResult;
use super::engine::{Engine, subarray};
use super::store::Bytes;
use crate::error::Error;
use crate::source::{ByteRange, Request};

/// The answer to a request.
pub(super) struct Told {
    pub(super) asked: Request,
    pub(super) told: Rc<Option<Uint8Array>>,
}

impl Told {
    /// What a request asks for, where it came along.
    pub(super) fn part(&self, wanted: &Request) -> Option<Uint8Array> {
        let (ByteRange::Span(part), Some(bytes)) = (&wanted.range, &*self.told) else { return None };
        let (ByteRange::Span(all) | ByteRange::UpTo(all)) = &self.asked.range else { return None };
        let start = part.start.checked_sub(all.start)?;
        let end = start + (part.end - part.start);
        let is_here = wanted.key == self.asked.key && end <= bytes.length().into();
        is_here.then(|| subarray(bytes, start..end))
    }
}

/// What was asked for of an answer; nothing is an error, as the system says that something is there.
pub(super) fn asked(host: &Engine, request: &Request, found: Option<Bytes>) -> JsResult<Bytes> {
    let Some(found) = found else {
        let key = host.store().describe(&request.key);
        let reason = "the list leads there, and nothing is there; was the file moved?".to_owned();
        return Err(Error::Store { key, status: None, range: None, reason }.into());
    };
    part(host, request, found).map(Bytes::Asked)
}

/// What was asked for of what came.
pub(super) fn part(host: &Engine, request: &Request, found: Bytes) -> JsResult<Uint8Array> {
    match found {
        Bytes::Asked(bytes) => Ok(bytes),
        Bytes::Whole(whole) => {
            let part = request.range.of_length(whole.length().into());
            let part = part.ok_or_else(|| host.store().unfit(request, None, &whole))?;
            Ok(subarray(&whole, part))
        }
    }
}
