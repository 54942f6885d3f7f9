//! Where version 1 keeps names: one small document for each branch and each tag, and a mark beside a tag that is gone.

use super::encoding::file::before_flatbuffers;
use super::encoding::id::Id;
use super::needs::{FIRST_STATE, REFERENCE, TOMBSTONE, need};
use super::wanted::Version;
use crate::error::{Error, Result};
use crate::metadata::{Value, looks_like_html};
use crate::source::InputRequest;

/// State of a name, as far as it was told.
#[derive(Default)]
pub(super) struct Older {
    id: Option<Id>,
    /// Whether a tag is gone.
    is_gone: Option<bool>,
    /// Whether nothing is there for the name: before 1.0 each state of a branch was a file.
    is_lost: bool,
}

impl Older {
    /// Inputs that are needed to resolve a name.
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

    /// The snapshot of a name, once it is known.
    pub(super) fn find(&self, version: &Version) -> Result<Option<Id>> {
        match (version, self.is_gone) {
            (Version::Tag(_), None) => Ok(None),
            (Version::Tag(tag), Some(true)) => {
                let hint = "it was there, and was deleted".to_owned();
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

    /// Notes what is said of a name.
    pub(super) fn tell(&mut self, number: u64, bytes: Option<&[u8]>, version: &Version) -> Result<()> {
        if number == TOMBSTONE {
            // A host may answer with a page for whatever is not there.
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
            // The state of a branch that was asked for last says nothing of a tag.
            let (wanted, path, tried) = match version {
                Version::Tag(name) => {
                    let asked = format!("refs/tag.{}/ref.json", encoded(name));
                    ("tag of an Icechunk repository", name.clone(), vec![asked])
                }
                _ => ("branch of an Icechunk repository", String::new(), Vec::new()),
            };
            let hint = "nor is there a file \"repo\"; check the address, and the name".to_owned();
            return Err(Error::NotFound { wanted: wanted.into(), path, tried, hint });
        };
        let id = document["snapshot"].as_str().and_then(Id::parse);
        self.id = Some(id.ok_or_else(|| Error::metadata("/snapshot", "expected the id of a snapshot"))?);
        Ok(())
    }
}

/// That there is no such snapshot.
pub(super) fn no_snapshot(id: Id) -> Error {
    let hint =
        "nothing is stored under snapshots, nor is there a file \"repo\"; check the address, and the id"
            .to_owned();
    Error::NotFound { wanted: "Icechunk snapshot".into(), path: id.to_string(), tried: Vec::new(), hint }
}

/// That nobody can say which names there are.
pub(super) fn no_list() -> Error {
    Error::Unsupported {
        feature: "listing branches and tags of Icechunk's first version".to_owned(),
        reason: "each is a file, and a host cannot be asked which ones there are; open one by its name"
            .to_owned(),
    }
}

/// A name as a part of a path.
fn encoded(name: &str) -> String {
    name.replace('/', "%2F")
}
