//! What a host said of its values while we read them: which version each one is.
//!
//! Invariant: two ranges of one value never come from two versions of it without an error, as far as the host
//! names versions at all.

use std::cell::RefCell;
use std::collections::HashMap;

/// The most values whose versions are known; beyond, all is forgotten.
const MOST: usize = 4096;

/// The versions that were read, by key.
#[derive(Default)]
pub(super) struct Known(RefCell<HashMap<String, String>>);

impl Known {
    /// The version that was read before: an ETag, or the date of a host that gives none, or hides it from other origins.
    pub(super) fn version(&self, key: &str) -> Option<String> {
        self.0.borrow().get(key).cloned()
    }

    /// Notes the version of an answer; whether it is the one that was read before, if one was.
    pub(super) fn is_same(&self, key: &str, version: &str) -> bool {
        let mut known = self.0.borrow_mut();
        if let Some(known) = known.get(key) {
            return known == version;
        }
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key.to_owned(), version.to_owned());
        true
    }

    /// Forgets a value, which was found to have changed.
    pub(super) fn forget(&self, key: &str) {
        self.0.borrow_mut().remove(key);
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}
