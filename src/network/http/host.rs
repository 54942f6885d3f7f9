//! One host: the caller's policy for it, what its answers showed, and the verdict on each response.
//!
//! Its capabilities are how it treats ranges, suffixes and HEAD. Invariant: a refusal is noted only after another
//! request for the same bytes has worked. Otherwise a network that is down would look like a host without suffixes.
//!
//! Its versions are the ETag, the date and the length of each value that was read. Invariant: ranges from two versions of
//! one value are an error, as far as the host sends versions. Machines of one host may give a file an ETag each: it counts
//! as such a host once the ETag of a value came again after another one. From then on its ETags are compared no more where
//! the date and the length are the same.

use std::collections::HashMap;

use super::response::{
    ANOTHER_PART, CHANGED, ContentRange, PART_OF_ALL, Redirect, ResponseHead, Served, Verdict, refusal,
};
use crate::network::ByteRange;

/// Rules for the requests to one host, from the caller and the platform.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpPolicy {
    /// HTTP statuses that mean "nothing is stored".
    pub missing_statuses: Vec<u16>,
    /// Most retries of a request.
    pub retries: u32,
    /// Whether a redirect is an error.
    pub forbids_redirects: bool,
    /// Whether redirects are followed here, so that the caller's headers can be withheld from other origins.
    pub follows_redirects: bool,
    /// Whether requests that CORS does not count as simple are preceded by a preflight.
    pub has_preflights: bool,
    /// Whether the platform hides answers without CORS headers, so that they look like faults of the network.
    pub hides_answers: bool,
}

impl HttpPolicy {
    /// Whether `fetch` must return redirects in place of following them.
    #[must_use]
    pub fn sees_redirects(&self) -> bool {
        self.forbids_redirects || self.follows_redirects
    }

    /// Decides whether a response is a redirect, and what to do with it.
    #[must_use]
    pub fn redirect(&self, head: &ResponseHead) -> Redirect {
        let is_redirect = head.is_opaque_redirect || matches!(head.status, 301 | 302 | 303 | 307 | 308);
        if !is_redirect || !self.sees_redirects() || self.missing_statuses.contains(&head.status) {
            return Redirect::No;
        }
        if self.forbids_redirects {
            return Redirect::Forbidden(
                "the host redirects to another address, which the option redirect: \"error\" forbids",
            );
        }
        head.location.clone().map_or(Redirect::No, Redirect::To)
    }
}

/// State of one host, shared by its requests.
#[derive(Debug, Clone, Default)]
pub struct HttpHost {
    /// Rules for requests.
    pub policy: HttpPolicy,
    /// How the host treats ranges, suffixes and HEAD.
    pub capabilities: HostCapabilities,
    /// Versions of the values read so far.
    pub versions: VersionTable,
    /// Whether the browser's cached answers may be out of date.
    pub revalidates: bool,
    /// Key of a value that the host has given.
    pub(super) witness: Option<String>,
    /// Habits of the host in its errors.
    pub(super) denials: Denials,
}

/// Habits of a host in its errors, as far as its answers have shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Denials {
    /// Whether an answer came without CORS headers.
    pub(super) is_bare: bool,
    /// Whether an answer was lost on its way and came after all.
    pub(super) is_flaky: bool,
    /// Whether 403 is the answer for a document that cannot exist.
    pub(super) forbids_missing: bool,
    /// Whether the answer for a document that cannot exist comes without CORS headers.
    pub(super) hides_missing: bool,
}

impl HttpHost {
    /// Creates a host about which nothing is known yet.
    #[must_use]
    pub fn new(policy: HttpPolicy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Whether the end of a value is requested by its position in place of a suffix range.
    #[must_use]
    pub fn avoids_suffixes(&self) -> bool {
        let capabilities = &self.capabilities;
        self.policy.has_preflights || capabilities.misreads_suffixes() || capabilities.refuses_suffixes()
    }

    /// Whether the host sends answers without CORS headers.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.denials.is_bare
    }

    /// Whether the host sends answers, all without CORS headers.
    #[must_use]
    pub fn hides_everything(&self) -> bool {
        self.denials.is_bare && self.witness.is_none()
    }

    /// Notes that the host gave a value, which `was_lost` before on its way.
    pub(super) fn note_answer(&mut self, key: &str, was_lost: bool) {
        self.denials.is_flaky |= was_lost;
        if self.witness.is_none() {
            self.witness = Some(key.to_owned());
        }
    }

    /// Forgets the versions of values, and makes the browser revalidate its cached answers.
    pub fn refresh(&mut self) {
        self.versions.clear();
        self.revalidates = true;
    }

    /// Verdict by the status alone: missing or refused; `None` for a success.
    #[must_use]
    pub fn verdict_on_status(&self, status: u16) -> Option<Verdict> {
        if self.policy.missing_statuses.contains(&status) {
            return Some(Verdict::Missing);
        }
        (!(200..=299).contains(&status)).then(|| Verdict::Refused(refusal(status)))
    }

    /// Verdict on the response to a GET request; notes the host's capabilities and the value's version.
    pub fn verdict(&mut self, key: &str, asked: &ByteRange, head: &ResponseHead) -> Verdict {
        if let Some(verdict) = self.verdict_on_status(head.status) {
            return verdict;
        }
        let is_partial = head.status == 206;
        let told = head.content_range.as_deref().and_then(ContentRange::parse);
        let served = told.filter(|_| is_partial).map(|told| told.served(asked));
        if *asked == ByteRange::All {
            let is_all = if is_partial { served == Some(Served::Asked) } else { true };
            return if is_all { Verdict::Asked } else { Verdict::Refused(PART_OF_ALL) };
        }
        // A host that ignores ranges answers 200 with the whole value.
        self.capabilities.note_range(!is_partial);
        if head.is_html {
            return Verdict::Refused(
                "an HTML page came: some hosts send one, with status 200, for files that do not exist",
            );
        }
        let length = told.and_then(|told| told.total);
        let version = ValueVersion { tag: head.tag.clone(), date: head.date.clone(), length };
        match self.versions.accept(key, version) {
            VersionMatch::Same => {}
            VersionMatch::OtherTag => return Verdict::OtherTag,
            VersionMatch::Changed => return Verdict::Refused(CHANGED),
        }
        match (served, asked) {
            (Some(Served::Other), ByteRange::Suffix(_)) => {
                let length = told.and_then(|told| told.total);
                self.capabilities.note_misread_suffix(length);
                Verdict::Misread(length)
            }
            (Some(Served::Other), _) => Verdict::Refused(ANOTHER_PART),
            (Some(Served::Asked) | None, _) if is_partial => Verdict::Asked,
            _ => Verdict::Whole,
        }
    }
}

/// Bytes that the end of a value of guessed length may have beyond twice the expected number: 64 KiB.
const END_ALLOWANCE: u64 = 64 << 10;

/// Capabilities of one host, and the value lengths from which the next one is guessed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostCapabilities {
    ranges: RangeAnswer,
    head: HeadSupport,
    misreads_suffixes: bool,
    refuses_suffixes: bool,
    reads_suffixes: bool,
    /// Length of the last two values, where both had the same.
    usual_length: Option<u64>,
    last_length: Option<u64>,
}

/// How a host answered the last range request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum RangeAnswer {
    #[default]
    Unknown,
    Honoured,
    /// The host sent the whole value.
    Ignored,
}

/// How a host treats HEAD.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum HeadSupport {
    #[default]
    Unknown,
    /// HEAD was right before, so its 404 is believed.
    Trusted,
    /// HEAD gives no length, or 404 for values that exist.
    Useless,
}

impl HostCapabilities {
    /// Notes the answer to a range request: the whole value, or a part of it.
    pub fn note_range(&mut self, is_whole: bool) {
        self.ranges = if is_whole { RangeAnswer::Ignored } else { RangeAnswer::Honoured };
    }

    /// Notes that a suffix range brought other bytes, and the value's length where the answer has it.
    pub fn note_misread_suffix(&mut self, length: Option<u64>) {
        self.misreads_suffixes = true;
        match length {
            Some(length) => self.note_length(length),
            None => self.refuses_suffixes = true,
        }
    }

    /// Notes that a suffix range brought the end of a value.
    pub fn note_read_suffix(&mut self) {
        self.reads_suffixes = true;
    }

    /// Notes that a suffix range failed, and another request for the same bytes worked.
    pub fn note_refused_suffix(&mut self) {
        self.refuses_suffixes = true;
    }

    /// Notes that an answer to HEAD was right: a length, or that nothing is stored.
    pub fn note_trusted_head(&mut self) {
        self.head = HeadSupport::Trusted;
    }

    /// Notes that HEAD does not help to find the end of a value.
    pub fn note_useless_head(&mut self) {
        self.head = HeadSupport::Useless;
    }

    /// Notes the length of a value; once two in a row agree, the next value is expected to have it too.
    pub fn note_length(&mut self, length: u64) {
        self.usual_length = Some(length).filter(|_| self.last_length == Some(length));
        self.last_length = Some(length);
    }

    /// Notes that a value did not have the usual length.
    pub fn forget_usual_length(&mut self) {
        self.usual_length = None;
    }

    /// Whether a range request was ever answered.
    #[must_use]
    pub fn knows_ranges(&self) -> bool {
        self.ranges != RangeAnswer::Unknown
    }

    /// Whether the last range request brought the whole value.
    #[must_use]
    pub fn ignores_ranges(&self) -> bool {
        self.ranges == RangeAnswer::Ignored
    }

    /// Whether a suffix range brought other bytes of a value.
    #[must_use]
    pub fn misreads_suffixes(&self) -> bool {
        self.misreads_suffixes
    }

    /// Whether a suffix range brought the end of a value.
    #[must_use]
    pub fn reads_suffixes(&self) -> bool {
        self.reads_suffixes
    }

    /// Whether suffix ranges fail: their preflight or they themselves are refused, or they are misread and no length
    /// is known.
    #[must_use]
    pub fn refuses_suffixes(&self) -> bool {
        self.refuses_suffixes
    }

    /// Whether HEAD is believed when it says that nothing is stored.
    #[must_use]
    pub fn trusts_head(&self) -> bool {
        self.head == HeadSupport::Trusted
    }

    /// Whether HEAD is not worth a request.
    #[must_use]
    pub fn skips_head(&self) -> bool {
        self.head == HeadSupport::Useless
    }

    /// Start of the last `bytes` bytes of a value of the usual length; `None` where no length is usual.
    #[must_use]
    pub fn usual_start(&self, bytes: u64) -> Option<u64> {
        self.usual_length?.checked_sub(bytes)
    }

    /// Most bytes to accept from `start` to the end of a value whose length was guessed.
    #[must_use]
    pub fn longest_end(&self, start: u64) -> u64 {
        let usual = self.usual_length.unwrap_or(start);
        usual.saturating_sub(start).saturating_mul(2).saturating_add(END_ALLOWANCE)
    }
}

/// Most values whose versions are held: 65,536. Beyond that, all versions are forgotten, and the epoch changes.
pub const MAX_VERSIONS: usize = 1 << 16;

/// Version of a value, as far as a response tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueVersion {
    /// `ETag`.
    pub tag: Option<String>,
    /// `Last-Modified`.
    pub date: Option<String>,
    /// Length of the whole value.
    pub length: Option<u64>,
}

/// Relation of a version to the one noted before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionMatch {
    /// The same one, or the first, or nothing shows that it is another.
    Same,
    /// Another ETag beside the same date: another version, or another machine.
    OtherTag,
    /// Another version; the value is forgotten, so the next read starts with the new version.
    Changed,
}

/// Versions by key, and an epoch that changes as soon as one of them is forgotten.
#[derive(Debug, Clone, Default)]
pub struct VersionTable {
    versions: HashMap<String, ValueVersion>,
    epoch: u64,
    /// Whether the machines of the host give a file an ETag each.
    has_tags_by_machine: bool,
}

impl VersionTable {
    /// Notes the version of an answer, or compares it with the one noted before.
    pub fn accept(&mut self, key: &str, version: ValueVersion) -> VersionMatch {
        if version.tag.is_none() && version.date.is_none() {
            return VersionMatch::Same;
        }
        let Some(known) = self.versions.get(key) else {
            if self.versions.len() >= MAX_VERSIONS {
                self.clear();
            }
            self.versions.insert(key.to_owned(), version);
            return VersionMatch::Same;
        };
        let is_other = |one: &Option<String>, other: &Option<String>| matches!((one, other), (Some(one), Some(other)) if one != other);
        let is_other_date = is_other(&known.date, &version.date);
        let is_same = match (&known.tag, &version.tag) {
            (Some(tag), Some(other)) if tag == other => true,
            (Some(_), Some(_)) => {
                let is_other_length = known.length.zip(version.length).is_some_and(|(one, two)| one != two);
                if known.date.is_some() && version.date.is_some() && !is_other_date && !is_other_length {
                    if !self.has_tags_by_machine {
                        return VersionMatch::OtherTag;
                    }
                    true
                } else {
                    false
                }
            }
            _ => !is_other_date,
        };
        if is_same {
            return VersionMatch::Same;
        }
        self.forget(key);
        VersionMatch::Changed
    }

    /// ETag that is noted of a value.
    #[must_use]
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.versions.get(key)?.tag.as_deref()
    }

    /// Gives the noted version of a value as text: ETag, date and length; empty where none is noted.
    #[must_use]
    pub fn said(&self, key: &str) -> String {
        let Some(ValueVersion { tag, date, length }) = self.versions.get(key) else { return String::new() };
        let text = |said: &Option<String>| said.clone().unwrap_or_default();
        format!("{}\n{}\n{}", text(tag), text(date), length.unwrap_or_default())
    }

    /// Whether a version of a value is noted.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.versions.contains_key(key)
    }

    /// Notes the ETag of the answer to a request that was sent again because of another one: if it is the noted ETag,
    /// the file did not change, and the machines give it an ETag each. The caller has compared it with the one that was
    /// noted when the other one came: meanwhile, the value may have been forgotten and noted anew.
    pub fn note_again(&mut self, key: &str, tag: Option<&str>) {
        let known = self.tag(key);
        self.has_tags_by_machine |= known.is_some() && known == tag;
    }

    /// Forgets the version of a value, so that the next read starts with a new one.
    pub fn forget(&mut self, key: &str) {
        if self.versions.remove(key).is_some() {
            self.epoch += 1;
        }
    }

    /// Forgets all versions.
    pub fn clear(&mut self) {
        self.versions.clear();
        self.epoch += 1;
    }

    /// Epoch of the versions: it changes whenever a version is forgotten, and outdates what was read before.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}
