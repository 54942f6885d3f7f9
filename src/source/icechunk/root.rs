//! The root's `zarr.json`, in which everything else is consolidated.

use super::snapshot::Snapshot;
use crate::error::Result;
use crate::source::ByteLocation;
use crate::source::consolidated::{Documents, group, json, with_members};

/// Its key.
pub(super) const KEY: &str = "zarr.json";

/// The root's document: as it is where the root is an array, or is malformed.
pub(super) fn place(snapshot: &Snapshot) -> Result<ByteLocation> {
    let Some(document) = snapshot.document("")? else { return Ok(ByteLocation::Missing) };
    let documents = snapshot.documents()?;
    let text = json(document);
    let Some(group) = text.as_deref().and_then(group) else {
        return Ok(ByteLocation::Inline(document.to_vec()));
    };
    let mut members = Documents::new();
    for (path, document) in documents.into_iter().filter(|(path, _)| !path.is_empty()) {
        // One that is no JSON is its own opening's error.
        if let Some(document) = json(document) {
            members.insert(path, document);
        }
    }
    Ok(ByteLocation::Inline(with_members(&group, &members)))
}
