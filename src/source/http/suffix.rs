//! The end of a value by its place. On another origin, as browsers send a preflight before `bytes=-n`, but not before a
//! range with a start, nor before HEAD; on every host that misreads `bytes=-n`.
//!
//! A start needs the value's length: guessed from the values read before it (the answer proves or mends the guess,
//! since `bytes=k-` ends where the value does), or asked for with HEAD. Where a host refuses HEAD or hides the length,
//! the suffix is asked for with its preflight; where that is refused too, the whole value.

use super::request::last;
use super::state::{HttpRequest, SuffixStep};
use super::{HttpCommand, HttpFailure, HttpHost, HttpResult, Method, ReceivedBytes};
use crate::source::ByteRange;

impl HttpRequest {
    /// Chooses the first question for the end of a value on a host without suffixes.
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

    /// Asks for the end of a value whose length HEAD does not tell: by its suffix, or cut out of the whole value.
    fn seek_suffix(&mut self, bytes: u64, host: &HttpHost) {
        if host.capabilities.refuses_suffixes() {
            self.ask(SuffixStep::WholeInstead, Method::Get, ByteRange::All);
        } else {
            self.ask(SuffixStep::Suffix, Method::Get, ByteRange::Suffix(bytes));
        }
    }

    /// Goes on after the answer to a question: with the result, or with the next question.
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
            // A refusal (416) says that the value is shorter, which HEAD tells better.
            (SuffixStep::Guess(_), Err(_)) => {
                host.capabilities.forget_usual_length();
                self.seek_length(bytes, host);
            }
            (SuffixStep::Length, Ok(None)) if !host.capabilities.trusts_head() => {
                // Some hosts have no answer to HEAD, or no signature for it.
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
                // An answer to the range that cannot be read does not say that the host refuses such ranges.
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

    /// Ends with the end of a value that was found without HEAD.
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
