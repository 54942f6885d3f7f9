//! Version table: the version of each value that was read, as its host names it.
//!
//! Invariant: two ranges of one value never come from two versions of it without an error, as far as the host
//! names versions at all.

use std::collections::HashMap;

/// The most values whose versions are held: 65,536; beyond, all are forgotten, and with them what was read.
pub const MAX_VERSIONS: usize = 1 << 16;

/// Versions by key, and an epoch that changes as soon as one of them is forgotten.
#[derive(Debug, Clone, Default)]
pub struct VersionTable {
    versions: HashMap<String, String>,
    epoch: u64,
}

impl VersionTable {
    /// Notes the version of an answer: an ETag, or the date of a host that gives none, or hides it from other origins.
    ///
    /// Returns whether it is the version that was read before, if one was. Where it is another one, the value is
    /// forgotten, so that the next read begins anew.
    pub fn accept(&mut self, key: &str, version: &str) -> bool {
        if let Some(known) = self.versions.get(key) {
            let is_same = known == version;
            if !is_same {
                self.versions.remove(key);
                self.epoch += 1;
            }
            return is_same;
        }
        if self.versions.len() >= MAX_VERSIONS {
            self.clear();
        }
        self.versions.insert(key.to_owned(), version.to_owned());
        true
    }

    /// The validator for an `If-Range` header. Only a strong one can stand there (RFC 9110, 13.1.5): no weak ETag, and
    /// no date, as a date names one second.
    #[must_use]
    pub fn strong_validator(&self, key: &str) -> Option<&str> {
        self.versions.get(key).map(String::as_str).filter(|version| version.starts_with('"'))
    }

    /// Forgets all versions.
    pub fn clear(&mut self) {
        self.versions.clear();
        self.epoch += 1;
    }

    /// A number that differs once a version was forgotten: nothing guards any more what was read of it before.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}
