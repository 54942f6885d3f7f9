//! The root's `zarr.json`, in which everything else is consolidated.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::snapshot::Snapshot;
use crate::error::Result;
use crate::metadata::{from_text, quote_bare_numbers};
use crate::source::Place;
use crate::source::consolidated::{Documents, with_members};

/// Its key.
pub(super) const KEY: &str = "zarr.json";

/// The root's document: as it is where the root is an array, or is malformed.
pub(super) fn place(snapshot: &Snapshot) -> Result<Place> {
    let Some(document) = snapshot.document("")? else { return Ok(Place::Missing) };
    let documents = snapshot.documents()?;
    let Some(group) = group(document) else { return Ok(Place::Inline(document.to_vec())) };
    let mut members = Documents::new();
    for (path, document) in documents.into_iter().filter(|(path, _)| !path.is_empty()) {
        // One that is no JSON is its own opening's error.
        if let Some(document) = json(document) {
            members.insert(path, document);
        }
    }
    Ok(Place::Inline(with_members(group, &members).unwrap_or_else(|_| document.to_vec())))
}

/// The fields of a group's document.
fn group(document: &[u8]) -> Option<BTreeMap<String, Box<RawValue>>> {
    let fields: BTreeMap<String, Box<RawValue>> = from_text(&json(document)?).ok()?;
    let node_type: Value = from_text(fields.get("node_type")?).ok()?;
    (node_type == "group").then_some(fields)
}

fn json(document: &[u8]) -> Option<Box<RawValue>> {
    serde_json::from_slice(&quote_bare_numbers(document)).ok()
}
