//! Options of opening a repository: a branch, a tag or a snapshot, and where containers of virtual chunks are.

use super::encoding::id::Id;
use crate::error::{Error, Result};
use crate::metadata::{Map, Value};

/// The branch that there always is.
const MAIN: &str = "main";

/// Options of opening a repository.
#[derive(Clone)]
pub(super) struct VersionOptions {
    pub(super) version: Version,
    /// Addresses by the names of containers.
    pub(super) containers: Map,
}

/// Which version of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Version {
    Branch(String),
    Tag(String),
    Snapshot(Id),
}

impl VersionOptions {
    /// The options of a caller, as a JSON object.
    pub(super) fn parse(options: &Value) -> Result<Self> {
        let (branch, tag, snapshot) =
            (text(options, "branch")?, text(options, "tag")?, text(options, "snapshot")?);
        let version = match (branch, tag, snapshot) {
            (branch, None, None) => Version::Branch(branch.unwrap_or_else(|| MAIN.to_owned())),
            (None, Some(tag), None) => Version::Tag(tag),
            (None, None, Some(id)) => Version::Snapshot(Id::parse(&id).ok_or_else(|| {
                refused(&format!("snapshot {id:?}"), "a snapshot's id is 20 digits and letters")
            })?),
            _ => {
                return Err(refused(
                    "branch, tag and snapshot",
                    "they are three ways to say one thing; give one",
                ));
            }
        };
        let containers = match &options["containers"] {
            Value::Null => Map::new(),
            Value::Object(given) if given.values().all(Value::is_string) => given.clone(),
            _ => {
                return Err(refused("containers", "it is an object of addresses by the names of containers"));
            }
        };
        Ok(Self { version, containers })
    }
}

fn text(options: &Value, name: &str) -> Result<Option<String>> {
    match &options[name] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        other => Err(refused(&format!("{name} {other}"), "it is text")),
    }
}

fn refused(option: &str, reason: &str) -> Error {
    Error::Unsupported { feature: format!("the option {option}"), reason: reason.to_owned() }
}
