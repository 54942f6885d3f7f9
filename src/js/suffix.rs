//! The end of a value by its place. On another origin, as browsers send a preflight before `bytes=-n`, but not before a
//! range with a start, nor before HEAD; on every host that misreads `bytes=-n`.
//!
//! A start needs the value's length: guessed from the values read before it (the answer proves or mends the guess,
//! since `bytes=k-` ends where the value does), or asked for with HEAD. Where a host refuses HEAD or hides the length,
//! the suffix is asked for with its preflight; where that is refused too, the whole value.
//!
//! Invariant: a host is known for what it refuses once something else has worked, not when nothing does.

use std::cell::Cell;

use js_sys::Uint8Array;
use web_sys::AbortSignal;

use super::JsResult;
use super::http::HttpStore;
use super::report::Length;
use super::store::{Answer, Bytes, Store};
use super::value::field;
use crate::source::{ByteRange, Request};

/// What was found out about a host, and the values read lately.
#[derive(Default)]
pub(super) struct Habits {
    /// Whether HEAD was seen to be right, so that it is believed when it says that nothing is there.
    heeds_head: Cell<bool>,
    /// Whether HEAD does not tell a length.
    hides_lengths: Cell<bool>,
    /// Whether asking for a suffix fails: its preflight is refused, or it is misread and no length is told.
    refuses_suffixes: Cell<bool>,
    /// Whether a suffix brought another part of a value.
    pub(super) misreads_suffixes: Cell<bool>,
    /// Whether a range was ever answered.
    pub(super) answered_a_range: Cell<bool>,
    /// Whether the last range that was asked for brought the whole value.
    pub(super) ignores_ranges: Cell<bool>,
    /// The length that the last two values had in common.
    usual: Cell<Option<u64>>,
    last: Cell<Option<u64>>,
}

/// A length that HEAD told, or hid.
struct Told(Option<u64>);

impl Length for Told {
    const METHOD: &'static str = "HEAD";

    fn received(&self) -> Option<u32> {
        Some(0)
    }
}

impl Habits {
    /// Notes that a range was answered, with the whole value or not.
    pub(super) fn note_range(&self, is_whole: bool) {
        self.answered_a_range.set(true);
        self.ignores_ranges.set(is_whole);
    }

    /// Notes that a suffix brought another part of a value, and the value's length where it was told with that.
    pub(super) fn note_misread(&self, length: Option<u64>) {
        self.misreads_suffixes.set(true);
        match length {
            Some(length) => self.note(length),
            None => self.refuses_suffixes.set(true),
        }
    }

    /// The longest end of a value, from there on, that is taken where its length was guessed.
    pub(super) fn longest_end(&self, start: u64) -> u64 {
        let usual = self.usual.get().unwrap_or(start);
        usual.saturating_sub(start).saturating_mul(2).saturating_add(64 << 10)
    }

    fn note(&self, length: u64) {
        self.usual.set(Some(length).filter(|_| self.last.get() == Some(length)));
        self.last.set(Some(length));
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
        let habits = &http.habits;
        let ask = async |range| self.ask(&Request { key: key.to_owned(), range }, most, signal).await;
        if habits.ignores_ranges.get() {
            return self.whole(key, most, signal).await;
        }
        if let Some(start) = habits.usual.get().and_then(|length| length.checked_sub(bytes)) {
            // A refusal (416) says that the value is shorter, which HEAD tells better.
            match ask(ByteRange::From(start)).await {
                Ok(Some(Bytes::Asked(tail))) => {
                    let length = start + u64::from(tail.length());
                    habits.note(length);
                    return match u64::from(tail.length()).checked_sub(bytes) {
                        Some(before) => Ok(Some(Bytes::Asked(after(&tail, before)))),
                        None => ask(last(length, bytes)).await,
                    };
                }
                Ok(answer) => return Ok(answer),
                Err(_) => habits.usual.set(None),
            }
        }
        if habits.hides_lengths.get() {
            return self.end(habits, (key, bytes), most, signal).await;
        }
        let request = Request { key: key.to_owned(), range: ByteRange::All };
        let told = self
            .repeated(&request, signal, async || {
                let Answer { found, status, again, length } = http.head(&request, signal).await;
                Answer { found: found.map(|length| length.map(Told)), status, again, length }
            })
            .await;
        match told.found {
            Ok(None) if habits.heeds_head.get() => Ok(None),
            // Some hosts have no answer to HEAD, or no signature for it.
            Ok(None) => match ask(ByteRange::Span(0..1)).await? {
                None => {
                    habits.heeds_head.set(true);
                    Ok(None)
                }
                Some(_) => {
                    habits.hides_lengths.set(true);
                    self.end(habits, (key, bytes), most, signal).await
                }
            },
            Ok(Some(Told(Some(length)))) => {
                habits.heeds_head.set(true);
                habits.note(length);
                ask(last(length, bytes)).await
            }
            _ => {
                let end = self.end(habits, (key, bytes), most, signal).await;
                habits.hides_lengths.set(matches!(end, Ok(Some(_))));
                end
            }
        }
    }

    /// The end of a value whose length HEAD does not tell: by its suffix, or cut out of the whole value.
    async fn end(
        &self,
        habits: &Habits,
        (key, bytes): (&str, u64),
        most: u64,
        signal: &AbortSignal,
    ) -> JsResult<Option<Bytes>> {
        if !habits.refuses_suffixes.get() {
            let request = Request { key: key.to_owned(), range: ByteRange::Suffix(bytes) };
            let end = self.ask(&request, most, signal).await;
            // An answer to the range that cannot be read does not say that the host refuses such ranges.
            let is_part = end.as_ref().is_err_and(|error| field(error, "status") == 206);
            if end.is_ok() || signal.aborted() || is_part && !habits.misreads_suffixes.get() {
                return end;
            }
        }
        let whole = self.whole(key, most, signal).await;
        if matches!(whole, Ok(Some(_))) {
            habits.refuses_suffixes.set(true);
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
