//! Consolidated metadata, which a list of references is by nature: made of the documents that stand in it, where nobody
//! wrote them together.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::references::References;
use crate::metadata::{from_text, quote_bare_numbers};
use crate::source::consolidated::{Documents, with_members};

const ROOT_V3: &str = "zarr.json";
const ROOT_V2: &str = ".zmetadata";

impl References {
    /// The root's `zarr.json` with everything below consolidated in it, where that is lacking; a `.zmetadata` where
    /// there is none, but documents of Zarr v2.
    pub(super) fn consolidated(&self, key: &str) -> Option<Vec<u8>> {
        match key {
            ROOT_V3 => self.v3(),
            ROOT_V2 if !self.entries.contains_key(ROOT_V2) => self.v2(),
            _ => None,
        }
    }

    fn v3(&self) -> Option<Vec<u8>> {
        let root = self.document(ROOT_V3)?;
        let fields: BTreeMap<String, Box<RawValue>> = from_text(&root).ok()?;
        let node_type: Value = from_text(fields.get("node_type")?).ok()?;
        if node_type != "group" || fields.contains_key("consolidated_metadata") {
            return None;
        }
        let paths = self.entries.keys().filter_map(|key| Some((key.strip_suffix("/zarr.json")?, key)));
        with_members(fields, &self.documents(paths)).ok()
    }

    fn v2(&self) -> Option<Vec<u8>> {
        let is_wanted =
            |key: &str| [".zarray", ".zgroup", ".zattrs"].contains(&key.rsplit('/').next().unwrap_or(key));
        let keys = self.entries.keys().filter(|key| is_wanted(key));
        let documents = self.documents(keys.map(|key| (key.as_str(), key)));
        if documents.is_empty() {
            return None;
        }
        let mut kept = Documents::new();
        kept.insert("zarr_consolidated_format", to_raw_value(&1).ok()?);
        kept.insert("metadata", to_raw_value(&documents).ok()?);
        serde_json::to_vec(&kept).ok()
    }

    /// The documents of keys, by what they are listed under.
    fn documents<'a>(&'a self, keys: impl Iterator<Item = (&'a str, &'a String)>) -> Documents<'a> {
        let mut documents = Documents::new();
        for (name, key) in keys {
            if let Some(document) = self.document(key) {
                documents.insert(name, document);
            }
        }
        documents
    }

    /// A document that stands in the list, as JSON.
    fn document(&self, key: &str) -> Option<Box<RawValue>> {
        let text = self.entries.get(key)?;
        match from_text::<String>(text) {
            Ok(written) => serde_json::from_slice(&quote_bare_numbers(written.as_bytes())).ok(),
            Err(_) => Some(text.clone()).filter(|text| text.get().starts_with('{')),
        }
    }
}
