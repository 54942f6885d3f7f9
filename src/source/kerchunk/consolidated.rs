//! Consolidated metadata made from the documents in a reference file, where the file itself has none.

use super::references::References;
use crate::metadata::{Value, member};
use crate::source::consolidated::{Documents, group, json, object, texts, with_members};

const ROOT_V3: &str = "zarr.json";
const ROOT_V2: &str = ".zmetadata";

impl References {
    /// Makes the consolidated document of a key: the root's `zarr.json` where it lacks consolidated metadata, or a
    /// `.zmetadata` where Zarr v2 documents are listed without one.
    pub(super) fn consolidated(&self, key: &str) -> Option<Vec<u8>> {
        match key {
            ROOT_V3 => self.v3(),
            ROOT_V2 if !self.entries.contains_key(ROOT_V2) => self.v2(),
            _ => None,
        }
    }

    fn v3(&self) -> Option<Vec<u8>> {
        let root = self.document(ROOT_V3)?;
        let fields = group(&root)?;
        if member(&fields, "consolidated_metadata").is_some() {
            return None;
        }
        let paths = self.entries.keys().filter_map(|key| Some((key.strip_suffix("/zarr.json")?, key)));
        Some(with_members(&fields, &self.documents(paths)))
    }

    fn v2(&self) -> Option<Vec<u8>> {
        let is_wanted =
            |key: &str| [".zarray", ".zgroup", ".zattrs"].contains(&key.rsplit('/').next().unwrap_or(key));
        let keys = self.entries.keys().filter(|key| is_wanted(key));
        let documents = self.documents(keys.map(|key| (key.as_str(), key)));
        if documents.is_empty() {
            return None;
        }
        Some(
            object([("zarr_consolidated_format", "1"), ("metadata", &object(texts(&documents)))])
                .into_bytes(),
        )
    }

    /// Documents of keys, by the name that each is given.
    fn documents<'a>(&self, keys: impl Iterator<Item = (&'a str, &'a String)>) -> Documents<'a> {
        let mut documents = Documents::new();
        for (name, key) in keys {
            if let Some(document) = self.document(key) {
                documents.insert(name, document);
            }
        }
        documents
    }

    /// An inline document as JSON text.
    pub(super) fn document(&self, key: &str) -> Option<String> {
        let text = self.entries.get(key)?;
        match text.bytes().next()? {
            b'"' => json(Value::parse(text.as_bytes()).ok()?.as_str()?.as_bytes()),
            b'{' => Some(text.to_string()),
            _ => None,
        }
    }
}
