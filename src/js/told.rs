//! Telling a system what it needs: what it was told may be what it leads to, and is not asked for again then.
//!
//! Invariant: what several want a system to be told is fetched once, always from its host.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use futures_util::future::try_join_all;
use js_sys::Uint8Array;

use super::JsResult;
use super::engine::{Engine, Ticket, subarray};
use super::listing::Listing;
use super::store::Bytes;
use super::system::System;
use crate::error::Error;
use crate::read::Urgency;
use crate::source::{ByteRange, InputRequest, MAX_TOLD_BYTES, Request};

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

/// The bytes that one look-up was told, in rounds of one or many needs.
#[derive(Default)]
pub(super) struct Rounds {
    told: HashSet<(u64, ByteRange)>,
    /// Rounds since one that told anything new.
    idle: u8,
}

impl Rounds {
    /// Whether a round with these needs may lead on: one idle round may, as a system forgets what is too much to keep.
    fn lead_on(&mut self, needs: &[InputRequest]) -> bool {
        let known = self.told.len();
        self.told.extend(needs.iter().map(|need| (need.number, need.range.clone())));
        self.idle = if self.told.len() > known { 0 } else { self.idle + 1 };
        self.idle < 2
    }
}

impl System {
    /// Fetches everything that is needed at once and tells it to the system; gives the bytes as well.
    pub(super) async fn tell(
        &self,
        listing: &Rc<Listing>,
        needs: Vec<InputRequest>,
        urgency: Urgency,
        rounds: &mut Rounds,
    ) -> JsResult<Vec<Told>> {
        if !rounds.lead_on(&needs) {
            let reason = "its index leads to the same bytes again and again; it may be damaged";
            return Err(self.blame(Error::metadata("", reason)));
        }
        try_join_all(needs.into_iter().map(|need| self.tell_one(listing, need, urgency))).await
    }

    async fn tell_one(&self, listing: &Rc<Listing>, need: InputRequest, urgency: Urgency) -> JsResult<Told> {
        let (host, request) = self.request_of(&need)?;
        let (listing, key) = (Rc::clone(listing), host.store().describe(&request.key));
        let asked = request.clone();
        let work = |ticket: Rc<Ticket>| async move {
            let found =
                Box::pin(host.want_anew(&request, MAX_TOLD_BYTES as u64, &RefCell::default(), &ticket))
                    .await?;
            let bytes = found.map(|found| part(&host, &request, found)).transpose()?;
            let length = bytes.as_ref().map_or(0, Uint8Array::length) as usize;
            let told = if length > MAX_TOLD_BYTES {
                Err(Error::metadata("", format!("it has {length} bytes, more than {MAX_TOLD_BYTES}")))
            } else {
                listing.tell(need.number, bytes.as_ref())
            };
            told.map_err(|error| error.in_document(&key))?;
            Ok((Rc::new(bytes), 0))
        };
        let (told, _) = self.telling.get(vec![self.round.get(), need.number], urgency, work).await?;
        Ok(Told { asked, told })
    }

    /// What is asked for to tell a need.
    pub(super) fn request_of(&self, need: &InputRequest) -> JsResult<(Rc<Engine>, Request)> {
        let url =
            if need.url.is_empty() { self.hosts.own().clone() } else { self.hosts.address(&need.url, "")? };
        Ok((self.hosts.engine(&url)?, Request { key: url.href(), range: need.range.clone() }))
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
