//! One host: the caller's policy for it, what its answers showed, and the verdict on each response.

use super::response::{ANOTHER_PART, CHANGED, PART_OF_ALL, refusal};
use super::{
    ContentRange, HostCapabilities, ResponseHead, Served, ValueVersion, Verdict, VersionMatch, VersionTable,
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
