//! A group's `zarr.json` with the documents of what is below it in it: made here, as lists of a system have them all.

use std::collections::BTreeMap;

use serde_json::value::{RawValue, to_raw_value};

/// Documents, and other JSON, by name. They are inserted one by one: to collect them would compile sorting anew.
pub(super) type Documents<'a> = BTreeMap<&'a str, Box<RawValue>>;

/// A group's document with those of its members, by their paths, as its consolidated metadata.
pub(super) fn with_members(
    mut group: BTreeMap<String, Box<RawValue>>,
    members: &Documents<'_>,
) -> serde_json::Result<Vec<u8>> {
    let mut kept = Documents::new();
    kept.insert("kind", to_raw_value("inline")?);
    kept.insert("must_understand", to_raw_value(&false)?);
    kept.insert("metadata", to_raw_value(members)?);
    group.insert("consolidated_metadata".to_owned(), to_raw_value(&kept)?);
    serde_json::to_vec(&group)
}
