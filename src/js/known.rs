//! What a host said of its values while we read them: which version each one is.
//!
//! Invariant: two ranges of one value never come from two versions of it without an error, as far as the host
//! names versions at all.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The most values whose versions are known; beyond, all is forgotten.
const MOST: usize = 1 << 16;

/// The versions that were read, by key.
#[derive(Default)]
pub(super) struct Known {
    versions: RefCell<HashMap<String, String>>,
    /// How often something was forgotten.
    epoch: Cell<u64>,
}

impl Known {
    /// The version that was read before: an ETag, or the date of a host that gives none, or hides it from other origins.
    pub(super) fn version(&self, key: &str) -> Option<String> {
        self.versions.borrow().get(key).cloned()
    }

    /// Notes the version of an answer; whether it is the one that was read before, if one was.
    pub(super) fn is_same(&self, key: &str, version: &str) -> bool {
        let mut known = self.versions.borrow_mut();
        if let Some(known) = known.get(key) {
            return known == version;
        }
        if known.len() >= MOST {
            known.clear();
            self.epoch.set(self.epoch.get() + 1);
        }
        known.insert(key.to_owned(), version.to_owned());
        true
    }

    /// Forgets a value, which was found to have changed.
    pub(super) fn forget(&self, key: &str) {
        self.versions.borrow_mut().remove(key);
        self.epoch.set(self.epoch.get() + 1);
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.versions.borrow_mut().clear();
        self.epoch.set(self.epoch.get() + 1);
    }

    /// A number that is another one as soon as something was forgotten: what was read before belongs to versions that
    /// nothing guards any more.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch.get()
    }
}
