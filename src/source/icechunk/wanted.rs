//! Options for opening a repository: a branch, a tag or a snapshot, and the addresses of containers of virtual chunks.

use super::encoding::id::Id;
use crate::error::{Error, Result};
use crate::metadata::{Map, Value};

/// Branch that every repository has.
const MAIN: &str = "main";

/// Options for opening a repository.
#[derive(Clone)]
pub(super) struct VersionOptions {
    pub(super) version: Version,
    /// Addresses of containers by name.
    pub(super) containers: Map,
}

/// Version of the data to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Version {
    Branch(String),
    Tag(String),
    Snapshot(Id),
}

impl VersionOptions {
    /// Parses the caller's options, a JSON object.
    pub(super) fn parse(options: &Value) -> Result<Self> {
        let (branch, tag, snapshot) =
            (text(options, "branch")?, text(options, "tag")?, text(options, "snapshot")?);
        let version = match (branch, tag, snapshot) {
            (branch, None, None) => Version::Branch(branch.unwrap_or_else(|| MAIN.to_owned())),
            (None, Some(tag), None) => Version::Tag(tag),
            (None, None, Some(id)) => Version::Snapshot(Id::parse(&id).ok_or_else(|| {
                refused(&format!("snapshot {id:?}"), "expected an id of 20 digits and letters")
            })?),
            _ => {
                return Err(refused(
                    "branch, tag and snapshot",
                    "each of them selects a version; pass only one",
                ));
            }
        };
        let containers = match &options["containers"] {
            Value::Null => Map::new(),
            Value::Object(given) if given.values().all(Value::is_string) => given.clone(),
            _ => {
                return Err(refused("containers", "expected an object { name: address }"));
            }
        };
        Ok(Self { version, containers })
    }
}

fn text(options: &Value, name: &str) -> Result<Option<String>> {
    match &options[name] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        other => Err(refused(&format!("{name} {other}"), "expected a string")),
    }
}

fn refused(option: &str, reason: &str) -> Error {
    Error::Unsupported { feature: format!("the option {option}"), reason: reason.to_owned() }
}
