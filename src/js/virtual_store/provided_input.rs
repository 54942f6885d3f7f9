//! Input that an index was provided with. If it holds the bytes of the requested key, they are not fetched again.
//!
//! Invariant: input that several reads need is fetched once, and from its host, but for that of original files, which the
//! browser's persistent cache may hold as it does chunks.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

use super::decoded_input::decoded;
use super::index_module::IndexModule;
use crate::error::{Error, Result};
use crate::js::JsResult;
use crate::js::convert::bytes::{Bytes, subarray};
use crate::js::convert::value::field;
use crate::js::stores::request::{BoundedRequest, Ticket};
use crate::js::stores::store_driver::StoreDriver;
use crate::js::support::work::{Background, Reply};
use crate::network::{ByteRange, Request, Urgency};
use crate::source::{Format, InputRequest, MAX_TOLD_BYTES};

/// Request for input, and its answer.
pub(crate) struct ProvidedInput {
    pub(crate) asked: Request,
    pub(crate) bytes: Option<Uint8Array>,
}

impl ProvidedInput {
    /// Bytes of another request, if this answer holds them.
    pub(crate) fn part(&self, wanted: &Request) -> Option<Uint8Array> {
        let (ByteRange::Span(part), Some(bytes)) = (&wanted.range, &self.bytes) else { return None };
        let (ByteRange::Span(all) | ByteRange::UpTo(all)) = &self.asked.range else { return None };
        let start = part.start.checked_sub(all.start)?;
        let end = start + (part.end - part.start);
        let is_here = wanted.key == self.asked.key && end <= bytes.length().into();
        is_here.then(|| subarray(bytes, start..end))
    }
}

/// Input that one look-up needed, in rounds of one or more requests.
#[derive(Default)]
pub(crate) struct Rounds {
    provided: HashSet<(u64, ByteRange)>,
    /// Number of rounds since the last one with new input.
    idle: u8,
}

impl Rounds {
    /// Whether a round with these requests may run. One round without new input may: an index can drop input to save
    /// memory.
    pub(crate) fn lead_on(&mut self, needs: &[InputRequest]) -> bool {
        let known = self.provided.len();
        self.provided.extend(needs.iter().map(|need| (need.number, need.range.clone())));
        self.idle = if self.provided.len() > known { 0 } else { self.idle + 1 };
        self.idle < 2
    }
}

/// Input on its way to an index, shared by all reads that wait for it.
pub(crate) struct InputTransfer {
    pub(crate) ticket: Rc<Ticket>,
    pub(crate) reply: Rc<Reply<JsResult<Option<Uint8Array>>>>,
    /// Work that stops when the last read leaves.
    _work: Background,
}

impl InputTransfer {
    pub(crate) fn begin(
        index: Rc<IndexModule>,
        host: Rc<StoreDriver>,
        request: Request,
        need: &InputRequest,
        urgency: Urgency,
        persists: bool,
    ) -> Rc<Self> {
        let (ticket, reply) = (Ticket::new(urgency), Rc::<Reply<_>>::default());
        let (own, given) = (Rc::clone(&ticket), Rc::clone(&reply));
        let (need, encoding) = (need.number, need.encoding.clone());
        let work = Background::sending(async move {
            let key = host.store().describe(&request.key);
            let asked = BoundedRequest { request: &request, most: MAX_TOLD_BYTES as u64 };
            let found = if persists {
                host.request(asked, &RefCell::default(), &own).await
            } else {
                host.request_anew(asked, &RefCell::default(), &own).await
            };
            // A bucket that may not be listed answers 403 for what is missing; the next file of the repository decides.
            let found = match found {
                Err(error) if Format::may_lack(&request.key) && host.store().may_mean_missing(&error) => {
                    Ok(None)
                }
                // The place that a file's structure names, or where its end is searched for, is beyond its end.
                Err(error) if is_beyond(&request.range, &error) => Ok(None),
                found => found,
            };
            let bytes = found.and_then(|found| found.map(|found| part(&host, &request, found)).transpose());
            let bytes = match (bytes, &encoding) {
                (Ok(Some(bytes)), Some(encoding)) => {
                    decoded(encoding, &bytes, host.store().part_timeout()).await.map(Some)
                }
                (bytes, _) => bytes,
            };
            given.give(match bytes {
                Ok(bytes) => {
                    provided(&index, need, bytes).await.map_err(|error| error.in_document(&key).into())
                }
                Err(error) => Err(error),
            });
        });
        Rc::new(Self { ticket, reply, _work: work })
    }
}

/// Whether a host says of a guess that the file ends before it. A file that ends before its first byte is empty, which
/// is an error.
fn is_beyond(range: &ByteRange, error: &JsValue) -> bool {
    matches!(range, ByteRange::UpTo(span) if span.start > 0) && field(error, "status") == 416
}

/// Provides an input to an index, and gives it back.
async fn provided(index: &IndexModule, need: u64, bytes: Option<Uint8Array>) -> Result<Option<Uint8Array>> {
    let length = bytes.as_ref().map_or(0, Uint8Array::length) as usize;
    if length > MAX_TOLD_BYTES {
        return Err(Error::metadata("", format!("it has {length} bytes; the limit is {MAX_TOLD_BYTES}")));
    }
    index.provide(need, bytes.as_ref()).await?;
    Ok(bytes)
}

/// Requested bytes of an answer for a chunk. A missing file is an error, as the index refers to it.
pub(crate) fn asked(host: &StoreDriver, request: &Request, found: Option<Bytes>) -> JsResult<Bytes> {
    let Some(found) = found else {
        let key = host.store().describe(&request.key);
        let reason = "a chunk refers to this file, and nothing is there; was it moved?".to_owned();
        return Err(Error::Store { key, status: None, range: None, reason }.into());
    };
    part(host, request, found).map(Bytes::Asked)
}

/// Requested bytes, cut out of a whole value where that came.
pub(crate) fn part(host: &StoreDriver, request: &Request, found: Bytes) -> JsResult<Uint8Array> {
    match found {
        Bytes::Asked(bytes) => Ok(bytes),
        Bytes::Whole(whole) => {
            let part = request.range.of_length(whole.length().into());
            let part = part.ok_or_else(|| host.store().unfit(request, None, whole.length()))?;
            Ok(subarray(&whole, part))
        }
    }
}
