//! The root's `zarr.json`, with the documents of all other nodes consolidated.

use super::snapshot::Snapshot;
use crate::error::Result;
use crate::source::ByteLocation;
use crate::source::consolidated::{Documents, group, json, with_members};

/// Key of the root's document.
pub(super) const KEY: &str = "zarr.json";

/// Root's document with consolidated metadata, or unchanged where the root is an array or malformed.
pub(super) fn place(snapshot: &Snapshot) -> Result<ByteLocation> {
    let Some(document) = snapshot.document("")? else { return Ok(ByteLocation::Missing) };
    let documents = snapshot.documents()?;
    let text = json(document);
    let Some(group) = text.as_deref().and_then(group) else {
        return Ok(ByteLocation::Inline(document.to_vec()));
    };
    let mut members = Documents::new();
    for (path, document) in documents.into_iter().filter(|(path, _)| !path.is_empty()) {
        // A document that is not JSON is left out; opening its node gives the error.
        if let Some(document) = json(document) {
            members.insert(path.to_owned(), document);
        }
    }
    Ok(ByteLocation::Inline(with_members(&group, &members)))
}
