//! The root's `zarr.json`, in which everything else is consolidated.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::snapshot::Snapshot;
use crate::error::Result;
use crate::metadata::{Json, from_text, quote_bare_numbers};
use crate::source::Place;
use crate::source::consolidated::with_members;

/// Its key.
pub(super) const KEY: &str = "zarr.json";

/// The root's document: as it is where the root is an array, or is malformed.
pub(super) fn place(snapshot: &Snapshot) -> Result<Place> {
    let Some(document) = snapshot.document("")? else { return Ok(Place::Missing) };
    let documents = snapshot.documents()?;
    // A damaged file may lead to one long document again and again.
    Json::check_length(documents.iter().map(|(path, document)| path.len() + document.len()).sum())?;
    let group = group(document).map(|group| {
        let members = documents.iter().filter(|(path, _)| !path.is_empty());
        // A document that is no JSON is its own opening's error.
        with_members(group, &members.filter_map(|(path, document)| Some((*path, json(document)?))).collect())
    });
    Ok(Place::Inline(group.and_then(serde_json::Result::ok).unwrap_or_else(|| document.to_vec())))
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
