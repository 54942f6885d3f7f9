//! Branches and tags of version 1: one small document each, and a mark beside a tag that was deleted.

use super::container::Container;
use super::encoding::file::before_flatbuffers;
use super::encoding::id::Id;
use super::needs::{FIRST_STATE, REFERENCE, TOMBSTONE, need};
use super::wanted::Version;
use crate::error::{Error, Result};
use crate::metadata::{Value, looks_like_html};
use crate::source::InputRequest;

/// Known state of a branch or a tag.
#[derive(Default)]
pub(super) struct Older {
    id: Option<Id>,
    /// Whether the tag was deleted; `None` before that is known.
    is_gone: Option<bool>,
    /// Whether the name has no document: before 1.0, each state of a branch was a file.
    is_lost: bool,
    /// Containers in the configuration, once it is provided.
    pub(super) containers: Option<Vec<Container>>,
}

impl Older {
    /// Inputs to provide before the name can be resolved.
    pub(super) fn needs(&self, version: &Version) -> Vec<InputRequest> {
        let (path, is_tag) = match version {
            Version::Branch(name) => (format!("refs/branch.{}/ref.json", encoded(name)), false),
            Version::Tag(name) => (format!("refs/tag.{}/ref.json", encoded(name)), true),
            Version::Snapshot(_) => return Vec::new(),
        };
        let tombstone =
            (is_tag && self.is_gone.is_none()).then(|| need(TOMBSTONE, format!("{path}.deleted")));
        let reference = if self.is_lost {
            let branch = if let Version::Branch(name) = version { name } else { "main" };
            Some(need(FIRST_STATE, format!("refs/branch.{}/ZZZZZZZZ.json", encoded(branch))))
        } else {
            self.id.is_none().then(|| need(REFERENCE, path))
        };
        reference.into_iter().chain(tombstone).collect()
    }

    /// Snapshot of the name, once it is known.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the tag was deleted.
    pub(super) fn find(&self, version: &Version) -> Result<Option<Id>> {
        match (version, self.is_gone) {
            (Version::Tag(_), None) => Ok(None),
            (Version::Tag(tag), Some(true)) => {
                let hint = "the tag was deleted".to_owned();
                Err(Error::NotFound {
                    wanted: "Icechunk tag".into(),
                    path: tag.clone(),
                    tried: Vec::new(),
                    hint,
                })
            }
            _ => Ok(self.id),
        }
    }

    /// Provides an input of the name.
    pub(super) fn provide(&mut self, number: u64, bytes: Option<&[u8]>, version: &Version) -> Result<()> {
        if number == TOMBSTONE {
            // A host may send an HTML page for files that do not exist.
            self.is_gone = Some(bytes.is_some_and(|bytes| !looks_like_html(bytes)));
            return Ok(());
        }
        let document: Option<Value> = bytes.and_then(|bytes| Value::parse(bytes).ok());
        if number == FIRST_STATE && document.as_ref().is_some_and(|state| state["snapshot"].is_string()) {
            return Err(before_flatbuffers());
        }
        if number == REFERENCE && document.is_none() {
            self.is_lost = true;
            return Ok(());
        }
        let Some(document) = document.filter(|_| number == REFERENCE) else {
            // The last request, for a branch's first state, does not belong to a tag's error.
            let (wanted, path, tried) = match version {
                Version::Tag(name) => {
                    let asked = format!("refs/tag.{}/ref.json", encoded(name));
                    ("tag of an Icechunk repository", name.clone(), vec![asked])
                }
                _ => ("branch of an Icechunk repository", String::new(), Vec::new()),
            };
            let hint = "nor is there a file \"repo\"; check the address and the name".to_owned();
            return Err(Error::NotFound { wanted: wanted.into(), path, tried, hint });
        };
        let id = document["snapshot"].as_str().and_then(Id::parse);
        self.id = Some(id.ok_or_else(|| Error::metadata("/snapshot", "expected the id of a snapshot"))?);
        Ok(())
    }
}

/// Error for a snapshot that does not exist.
pub(super) fn no_snapshot(id: Id) -> Error {
    let hint =
        "it has no file in the folder \"snapshots\", nor is there a file \"repo\"; check the address and the id"
            .to_owned();
    Error::NotFound { wanted: "Icechunk snapshot".into(), path: id.to_string(), tried: Vec::new(), hint }
}

/// Error for a list of branches and tags, which version 1 lacks.
pub(super) fn no_list() -> Error {
    Error::Unsupported {
        feature: "listing branches and tags of Icechunk version 1".to_owned(),
        reason: "each is a file, and a host does not list its files; open one by its name".to_owned(),
    }
}

/// Encodes a name as one segment of a path.
fn encoded(name: &str) -> String {
    name.replace('/', "%2F")
}
