//! Version table: the ETag or date of each value that was read.
//!
//! Invariant: ranges from two versions of one value are an error, as far as the host sends versions.

use std::collections::HashMap;

/// Most values whose versions are held: 65,536. Beyond that, all versions are forgotten, and the epoch changes.
pub const MAX_VERSIONS: usize = 1 << 16;

/// Versions by key, and an epoch that changes as soon as one of them is forgotten.
#[derive(Debug, Clone, Default)]
pub struct VersionTable {
    versions: HashMap<String, String>,
    epoch: u64,
}

impl VersionTable {
    /// Notes the version of an answer: its ETag, or its date where the ETag is missing or hidden.
    ///
    /// Returns whether the version equals the one noted before, if there is one. If it differs, the value is forgotten,
    /// so the next read starts with the new version.
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

    /// Validator for an `If-Range` header. It must be strong (RFC 9110, 13.1.5): no weak ETag, and no date, because two
    /// versions may have the same second.
    #[must_use]
    pub fn strong_validator(&self, key: &str) -> Option<&str> {
        self.versions.get(key).map(String::as_str).filter(|version| version.starts_with('"'))
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
