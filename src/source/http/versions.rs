//! Version table: the ETag, the date and the length of each value that was read.
//!
//! Invariant: ranges from two versions of one value are an error, as far as the host sends versions. Machines of one
//! host may give a file an ETag each. Two ETags count as one version only after the first one came again, to a request
//! that was sent after the second one had come, and only beside the same date and length.

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

    /// Notes the ETag of the answer to a request that was sent again because of another one: if it is the known ETag,
    /// the file did not change, and the machines give it an ETag each.
    pub fn note_again(&mut self, key: &str, tag: Option<&str>) {
        let known = self.versions.get(key).and_then(|known| known.tag.as_deref());
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
