//! The end of a value by its place. On another origin, as browsers send a preflight before `bytes=-n`, but not before a
//! range with a start, nor before HEAD; on every host that misreads `bytes=-n`.
//!
//! A start needs the value's length: guessed from the values read before it (the answer proves or mends the guess,
//! since `bytes=k-` ends where the value does), or asked for with HEAD. Where a host refuses HEAD or hides the length,
//! the suffix is asked for with its preflight; where that is refused too, the whole value.

use std::cell::RefCell;

use js_sys::Uint8Array;
use web_sys::AbortSignal;

use super::JsResult;
use super::http::HttpStore;
use super::report::Length;
use super::store::{Answer, Bytes, Store};
use super::value::field;
use crate::source::http::HostCapabilities;
use crate::source::{ByteRange, Request};

/// A length that HEAD told, or hid.
struct Told(Option<u64>);

impl Length for Told {
    const METHOD: &'static str = "HEAD";

    fn received(&self) -> Option<u32> {
        Some(0)
    }
}

impl Store {
    /// Reads the last `bytes` of a value, or all of it, which may have `most` bytes.
    pub(super) async fn suffix(
        &self,
        http: &HttpStore,
        (key, bytes): (&str, u64),
        most: u64,
        signal: &AbortSignal,
    ) -> JsResult<Option<Bytes>> {
        let host = &http.capabilities;
        let ask = async |range| self.ask(&Request { key: key.to_owned(), range }, most, signal).await;
        if host.borrow().ignores_ranges() {
            return self.whole(key, most, signal).await;
        }
        let usual_start = host.borrow().usual_start(bytes);
        if let Some(start) = usual_start {
            // A refusal (416) says that the value is shorter, which HEAD tells better.
            match ask(ByteRange::From(start)).await {
                Ok(Some(Bytes::Asked(tail))) => {
                    let length = start + u64::from(tail.length());
                    host.borrow_mut().note_length(length);
                    return match u64::from(tail.length()).checked_sub(bytes) {
                        Some(before) => Ok(Some(Bytes::Asked(after(&tail, before)))),
                        None => ask(last(length, bytes)).await,
                    };
                }
                Ok(answer) => return Ok(answer),
                Err(_) => host.borrow_mut().forget_usual_length(),
            }
        }
        if host.borrow().skips_head() {
            return self.end(host, (key, bytes), most, signal).await;
        }
        let request = Request { key: key.to_owned(), range: ByteRange::All };
        let told = self
            .repeated(&request, signal, async || {
                let Answer { found, status, again, length } = http.head(&request, signal).await;
                Answer { found: found.map(|length| length.map(Told)), status, again, length }
            })
            .await;
        match told.found {
            Ok(None) if host.borrow().trusts_head() => Ok(None),
            // Some hosts have no answer to HEAD, or no signature for it.
            Ok(None) => match ask(ByteRange::Span(0..1)).await? {
                None => {
                    host.borrow_mut().note_trusted_head();
                    Ok(None)
                }
                Some(_) => {
                    host.borrow_mut().note_useless_head();
                    self.end(host, (key, bytes), most, signal).await
                }
            },
            Ok(Some(Told(Some(length)))) => {
                host.borrow_mut().note_trusted_head();
                host.borrow_mut().note_length(length);
                ask(last(length, bytes)).await
            }
            _ => {
                let end = self.end(host, (key, bytes), most, signal).await;
                if matches!(end, Ok(Some(_))) {
                    host.borrow_mut().note_useless_head();
                }
                end
            }
        }
    }

    /// The end of a value whose length HEAD does not tell: by its suffix, or cut out of the whole value.
    async fn end(
        &self,
        host: &RefCell<HostCapabilities>,
        (key, bytes): (&str, u64),
        most: u64,
        signal: &AbortSignal,
    ) -> JsResult<Option<Bytes>> {
        if !host.borrow().refuses_suffixes() {
            let request = Request { key: key.to_owned(), range: ByteRange::Suffix(bytes) };
            let end = self.ask(&request, most, signal).await;
            // An answer to the range that cannot be read does not say that the host refuses such ranges.
            let is_part = end.as_ref().is_err_and(|error| field(error, "status") == 206);
            if end.is_ok() || signal.aborted() || is_part && !host.borrow().misreads_suffixes() {
                return end;
            }
        }
        let whole = self.whole(key, most, signal).await;
        if matches!(whole, Ok(Some(_))) {
            host.borrow_mut().note_refused_suffix();
        }
        whole
    }

    async fn whole(&self, key: &str, most: u64, signal: &AbortSignal) -> JsResult<Option<Bytes>> {
        let found = self.ask(&Request { key: key.to_owned(), range: ByteRange::All }, most, signal).await?;
        Ok(found.map(|(Bytes::Asked(value) | Bytes::Whole(value))| Bytes::Whole(value)))
    }
}

/// The range of so many last bytes; all of a value that is shorter, which its reader complains of.
pub(super) fn last(length: u64, bytes: u64) -> ByteRange {
    ByteRange::Span(length.saturating_sub(bytes)..length)
}

fn after(bytes: &Uint8Array, start: u64) -> Uint8Array {
    bytes.subarray(u32::try_from(start).unwrap_or(u32::MAX), bytes.length())
}
