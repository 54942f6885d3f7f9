//! One host: the caller's policy for it, and what its answers showed.

use super::denials::Denials;
use super::{HostCapabilities, VersionTable};

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
}
