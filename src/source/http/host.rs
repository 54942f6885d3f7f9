//! One host: the caller's policy for it, and the knowledge that its answers gave.

use super::{HostCapabilities, VersionTable};

/// The caller's and the platform's rules for the requests to one host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpPolicy {
    /// Statuses that mean that nothing is stored.
    pub missing_statuses: Vec<u16>,
    /// The most repetitions of a request.
    pub retries: u32,
    /// Whether a redirect is an error.
    pub forbids_redirects: bool,
    /// Whether redirects are followed here, so that the caller's headers can be kept back.
    pub follows_redirects: bool,
    /// Whether requests beyond the simplest are preceded by a preflight.
    pub has_preflights: bool,
}

/// The state of one host that its requests share.
#[derive(Debug, Clone, Default)]
pub struct HttpHost {
    /// The rules for requests.
    pub policy: HttpPolicy,
    /// How it treats ranges, suffixes and HEAD.
    pub capabilities: HostCapabilities,
    /// Versions of the values that were read.
    pub versions: VersionTable,
    /// Whether the browser's cached answers may be out of date.
    pub revalidates: bool,
}

impl HttpHost {
    /// A host of which nothing is known.
    #[must_use]
    pub fn new(policy: HttpPolicy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Whether the end of a value is better asked for by its place than as a suffix.
    #[must_use]
    pub fn avoids_suffixes(&self) -> bool {
        self.policy.has_preflights || self.capabilities.misreads_suffixes()
    }

    /// Forgets the versions of values, and has the browser revalidate its cached answers.
    pub fn refresh(&mut self) {
        self.versions.clear();
        self.revalidates = true;
    }
}
