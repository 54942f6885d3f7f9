//! A group's `zarr.json` with the documents of what is below it in it: made here, as lists of a system have them all.

use std::collections::BTreeMap;

use serde_json::value::{RawValue, to_raw_value};

/// A group's document with those of its members, by their paths, as its consolidated metadata.
pub(super) fn with_members(
    mut group: BTreeMap<String, Box<RawValue>>,
    members: &BTreeMap<&str, Box<RawValue>>,
) -> serde_json::Result<Vec<u8>> {
    let kept = BTreeMap::from([
        ("kind", to_raw_value("inline")?),
        ("must_understand", to_raw_value(&false)?),
        ("metadata", to_raw_value(members)?),
    ]);
    group.insert("consolidated_metadata".to_owned(), to_raw_value(&kept)?);
    serde_json::to_vec(&group)
}
