//! What a host said of its values while we read them: which version each one is, and how long.
//!
//! Invariant: two ranges of one value never come from two versions of it without an error, as far as the host
//! names versions at all.

use std::cell::RefCell;
use std::collections::HashMap;

/// The most values of which something is known; beyond, all is forgotten, which costs requests and no correctness.
const MOST: usize = 4096;

/// What is known, by key.
#[derive(Default)]
pub(super) struct Known(RefCell<HashMap<String, Value>>);

/// What is known of one value.
#[derive(Default, Clone)]
struct Value {
    version: Option<String>,
    length: Option<u64>,
}

impl Known {
    /// The version that was read before: an ETag, or the date of a host that gives none, or hides it from other origins.
    pub(super) fn version(&self, key: &str) -> Option<String> {
        self.0.borrow().get(key)?.version.clone()
    }

    /// The length in bytes.
    pub(super) fn length(&self, key: &str) -> Option<u64> {
        self.0.borrow().get(key)?.length
    }

    pub(super) fn set_length(&self, key: &str, length: u64) {
        self.change(key, |value| value.length = Some(length));
    }

    /// Notes the version of an answer; whether it is the one that was read before, if one was.
    pub(super) fn is_same(&self, key: &str, version: &str) -> bool {
        match self.version(key) {
            Some(known) => known == version,
            None => {
                self.change(key, |value| value.version = Some(version.to_owned()));
                true
            }
        }
    }

    /// Forgets a value, which was found to have changed.
    pub(super) fn forget(&self, key: &str) {
        self.0.borrow_mut().remove(key);
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    fn change(&self, key: &str, change: impl FnOnce(&mut Value)) {
        let mut known = self.0.borrow_mut();
        if known.len() >= MOST && !known.contains_key(key) {
            known.clear();
        }
        change(known.entry(key.to_owned()).or_default());
    }
}
