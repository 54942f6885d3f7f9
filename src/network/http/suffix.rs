//! The end of a value by its position. Used on other origins, because browsers send a preflight before `bytes=-n`, and
//! none before HEAD or a range with a start; and on every host that misreads or refuses `bytes=-n`.
//!
//! The position needs the value's length. It is guessed from earlier values (the answer to `bytes=k-` ends where the
//! value does, which confirms or corrects the guess), or requested with HEAD. HEAD may tell the length of a compressed
//! body, so one byte more is requested than should be there: the answer then has as many bytes as expected only where
//! the length is right. Where a host refuses HEAD, hides the length or tells a wrong one, the suffix range is requested
//! with its preflight; where that is refused too, the whole value is.

use super::request::{HttpRequest, SuffixStep, last};
use super::{HttpCommand, HttpFailure, HttpHost, HttpResult, Method, ReceivedBytes};
use crate::network::ByteRange;

impl HttpRequest {
    /// Chooses the first request for the end of a value on a host without suffix ranges.
    pub(super) fn seek_end(&mut self, bytes: u64, host: &HttpHost) {
        let capabilities = &host.capabilities;
        if capabilities.ignores_ranges() {
            self.ask(SuffixStep::Whole, Method::Get, ByteRange::All);
        } else if let Some(start) = capabilities.usual_start(bytes) {
            self.ask(SuffixStep::Guess(start), Method::Get, ByteRange::From(start));
        } else {
            self.seek_length(bytes, host);
        }
    }

    fn seek_length(&mut self, bytes: u64, host: &HttpHost) {
        if host.capabilities.skips_head() {
            self.seek_suffix(bytes, host);
        } else {
            self.ask(SuffixStep::Length, Method::Head, ByteRange::All);
        }
    }

    /// Requests the end of a value whose length HEAD does not give: as a suffix range, or as part of the whole value.
    fn seek_suffix(&mut self, bytes: u64, host: &HttpHost) {
        if host.capabilities.refuses_suffixes() || self.suffix_failure.is_some() {
            self.ask(SuffixStep::WholeInstead, Method::Get, ByteRange::All);
        } else {
            self.ask(SuffixStep::Suffix, Method::Get, ByteRange::Suffix(bytes));
        }
    }

    /// Continues after an answer on the way to the last `bytes` of a value: with the result, or with the next request.
    pub(super) fn conclude(
        &mut self,
        bytes: u64,
        result: HttpResult,
        status: Option<u16>,
        host: &mut HttpHost,
    ) -> HttpCommand {
        let is_denied = match status {
            Some(status) => status == 403 && host.denials.forbids_missing,
            None => self.is_bare,
        };
        match (self.step, result) {
            // This answer may have shown that the host misreads suffixes.
            (SuffixStep::Direct, Err(_)) if host.avoids_suffixes() => self.seek_end(bytes, host),
            (SuffixStep::Direct, Err(failure)) if self.has_refused(status, host) => {
                self.suffix_failure = Some(failure);
                self.seek_end(bytes, host);
            }
            // A status that stands for a missing value may stand for a refused range as well.
            (SuffixStep::Direct, Ok(None)) if self.has_refused(status, host) => {
                self.ask(SuffixStep::Presence, Method::Get, ByteRange::Span(0..1));
            }
            (SuffixStep::Presence, Ok(Some(_))) => {
                self.suffix_failure = Some(HttpFailure::told(status.unwrap_or_default(), REFUSED));
                self.seek_end(bytes, host);
            }
            (SuffixStep::Guess(start), Ok(Some(ReceivedBytes::Part { length: tail, .. }))) => {
                let length = start.saturating_add(tail);
                host.capabilities.note_length(length);
                if let Some(skip) = tail.checked_sub(bytes) {
                    return HttpCommand::Done(Ok(Some(ReceivedBytes::Part { skip, length: bytes })));
                }
                self.ask(SuffixStep::Place, Method::Get, last(length, bytes));
            }
            // A refusal (416) means that the value is shorter; HEAD gives its length.
            (SuffixStep::Guess(_), Err(_)) => {
                host.capabilities.forget_usual_length();
                self.seek_length(bytes, host);
            }
            (SuffixStep::Length, Ok(None)) if !host.capabilities.trusts_head() => {
                // Some hosts answer HEAD with 404, or sign URLs for GET alone.
                self.ask(SuffixStep::Existence, Method::Get, ByteRange::Span(0..1));
            }
            (SuffixStep::Length, Ok(Some(ReceivedBytes::Length(Some(length))))) => {
                let span = length.saturating_sub(bytes)..length.saturating_add(1);
                self.ask(SuffixStep::Measured(length), Method::Get, ByteRange::UpTo(span));
            }
            (SuffixStep::Measured(length), Ok(Some(ReceivedBytes::Part { length: tail, .. })))
                if tail == length.min(bytes) =>
            {
                host.capabilities.note_trusted_head();
                host.capabilities.note_length(length);
                return HttpCommand::Done(Ok(Some(ReceivedBytes::Part { skip: 0, length: tail })));
            }
            // HEAD told the length of something else, such as a compressed body.
            (
                SuffixStep::Measured(_),
                Ok(Some(ReceivedBytes::Part { .. }))
                | Err(HttpFailure::Told { status: Some(200..=299 | 416), .. }),
            ) => {
                self.doubts_head = true;
                self.seek_suffix(bytes, host);
            }
            (SuffixStep::Length, Err(_)) if is_denied => {
                self.ask(SuffixStep::Existence, Method::Get, ByteRange::Span(0..1));
            }
            // The host fails for everything, and refused no range.
            (SuffixStep::Length, Err(failure))
                if self.suffix_failure.is_some() && status.is_some_and(|status| status >= 500) =>
            {
                return HttpCommand::Done(Err(self.suffix_failure.take().unwrap_or(failure)));
            }
            (SuffixStep::Length, Ok(Some(_)) | Err(_)) => {
                self.doubts_head = true;
                self.seek_suffix(bytes, host);
            }
            (SuffixStep::Existence, Ok(None)) => {
                host.capabilities.note_trusted_head();
                return HttpCommand::Done(Ok(None));
            }
            (SuffixStep::Existence, Ok(Some(_))) => {
                host.capabilities.note_useless_head();
                self.seek_suffix(bytes, host);
            }
            (SuffixStep::Suffix, Err(failure)) => {
                // A 206 response that cannot be read is no refusal of suffix ranges.
                let is_part = matches!(failure, HttpFailure::Told { status: Some(206), .. });
                if is_part && !host.capabilities.misreads_suffixes() {
                    return HttpCommand::Done(Err(failure));
                }
                self.ask(SuffixStep::WholeInstead, Method::Get, ByteRange::All);
            }
            (SuffixStep::Direct | SuffixStep::Suffix, Ok(found @ Some(ReceivedBytes::Part { .. })))
                if matches!(self.asked.range, ByteRange::Suffix(_)) =>
            {
                host.capabilities.note_read_suffix();
                return self.found_end(found, host);
            }
            (SuffixStep::Suffix, Ok(found)) => return self.found_end(found, host),
            (SuffixStep::WholeInstead, Ok(found)) => {
                if found.is_some() {
                    host.capabilities.note_refused_suffix();
                }
                return self.found_end(found.map(whole), host);
            }
            (SuffixStep::Whole, Ok(found)) => return HttpCommand::Done(Ok(found.map(whole))),
            (_, result) => return HttpCommand::Done(result),
        }
        self.send(host)
    }

    /// Whether a status refuses the suffix range that was requested, on a host that has answered none.
    pub(super) fn has_refused(&self, status: Option<u16>, host: &HttpHost) -> bool {
        let is_suffix = matches!((self.step, &self.asked.range), (SuffixStep::Direct, ByteRange::Suffix(_)));
        // The other statuses from 400 on say that the value is missing, that others may read it, or that it may come.
        let is_refusal =
            matches!(status, Some(400 | 402..=403 | 405..=406 | 409 | 411..=428 | 430..=501 | 505..));
        is_suffix && is_refusal && !host.capabilities.reads_suffixes()
    }

    /// Finishes with the end of a value that was found without HEAD.
    fn found_end(&self, found: Option<ReceivedBytes>, host: &mut HttpHost) -> HttpCommand {
        if self.doubts_head && found.is_some() {
            host.capabilities.note_useless_head();
        }
        HttpCommand::Done(Ok(found))
    }
}

/// Reason where a host refuses a suffix range; it is told only where everything else fails too.
const REFUSED: &str = "the host refuses ranges of the last bytes (bytes=-n)";

fn whole(found: ReceivedBytes) -> ReceivedBytes {
    ReceivedBytes::Whole(found.bytes())
}
