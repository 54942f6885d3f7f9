//! The end of a value by its position. Used on other origins, because browsers send a preflight before `bytes=-n`, and
//! none before HEAD or a range with a start; and on every host that misreads `bytes=-n`.
//!
//! The position needs the value's length. It is guessed from earlier values (the answer to `bytes=k-` ends where the
//! value does, which confirms or corrects the guess), or requested with HEAD. Where a host refuses HEAD or hides the
//! length, the suffix range is requested with its preflight; where that is refused too, the whole value is.

use super::request::last;
use super::state::{HttpRequest, SuffixStep};
use super::{HttpCommand, HttpFailure, HttpHost, HttpResult, Method, ReceivedBytes};
use crate::source::ByteRange;

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
        if host.capabilities.refuses_suffixes() {
            self.ask(SuffixStep::WholeInstead, Method::Get, ByteRange::All);
        } else {
            self.ask(SuffixStep::Suffix, Method::Get, ByteRange::Suffix(bytes));
        }
    }

    /// Continues after an answer: with the result, or with the next request.
    pub(super) fn conclude(&mut self, result: HttpResult, host: &mut HttpHost) -> HttpCommand {
        let ByteRange::Suffix(bytes) = self.wanted else { return HttpCommand::Done(result) };
        match (self.step, result) {
            // This answer may have shown that the host misreads suffixes.
            (SuffixStep::Direct, Err(_)) if host.avoids_suffixes() => self.seek_end(bytes, host),
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
                host.capabilities.note_trusted_head();
                host.capabilities.note_length(length);
                self.ask(SuffixStep::Place, Method::Get, last(length, bytes));
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

    /// Finishes with the end of a value that was found without HEAD.
    fn found_end(&self, found: Option<ReceivedBytes>, host: &mut HttpHost) -> HttpCommand {
        if self.doubts_head && found.is_some() {
            host.capabilities.note_useless_head();
        }
        HttpCommand::Done(Ok(found))
    }
}

fn whole(found: ReceivedBytes) -> ReceivedBytes {
    ReceivedBytes::Whole(found.bytes())
}
