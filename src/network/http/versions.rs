//! Version table: the ETag, the date and the length of each value that was read.
//!
//! Invariant: ranges from two versions of one value are an error, as far as the host sends versions. Machines of one
//! host may give a file an ETag each: it counts as such a host once the ETag of a value came again after another one. From
//! then on its ETags are compared no more where the date and the length are the same.

use std::collections::HashMap;

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
