//! Consolidated metadata made from the documents in a reference file, where the file itself has none.

use super::references::References;
use crate::metadata::{member, parse_part};
use crate::source::consolidated::{Documents, group, json, object, texts, with_members};

const ROOT_V3: &str = "zarr.json";
const ROOT_V2: &str = ".zmetadata";

impl References {
    /// Makes the consolidated document of a key: the root's `zarr.json` where it lacks consolidated metadata, or a
    /// `.zmetadata` where Zarr v2 documents are listed without one.
    pub(super) fn consolidated(&self, key: &str) -> Option<Vec<u8>> {
        match key {
            ROOT_V3 => self.v3(),
            ROOT_V2 if self.entry(ROOT_V2).is_none() => self.v2(),
            _ => None,
        }
    }

    fn v3(&self) -> Option<Vec<u8>> {
        let root = self.document(ROOT_V3)?;
        let fields = group(&root)?;
        if member(&fields, "consolidated_metadata").is_some() {
            return None;
        }
        Some(with_members(&fields, &self.documents(|key| key.strip_suffix("/zarr.json"))))
    }

    fn v2(&self) -> Option<Vec<u8>> {
        let is_wanted =
            |key: &str| [".zarray", ".zgroup", ".zattrs"].contains(&key.rsplit('/').next().unwrap_or(key));
        let documents = self.documents(|key| Some(key).filter(|key| is_wanted(key)));
        if documents.is_empty() {
            return None;
        }
        Some(
            object([("zarr_consolidated_format", "1"), ("metadata", &object(texts(&documents)))])
                .into_bytes(),
        )
    }

    /// Documents of the keys that have a name.
    fn documents(&self, name: impl Fn(&str) -> Option<&str>) -> Documents {
        let mut documents = Documents::new();
        for key in self.document_keys() {
            if let Some((name, document)) = name(&key).zip(self.document(&key)) {
                documents.insert(name.to_owned(), document);
            }
        }
        documents
    }

    /// An inline document as JSON text.
    pub(super) fn document(&self, key: &str) -> Option<String> {
        let text = self.entry(key)?;
        match text.bytes().next()? {
            b'"' => json(parse_part(text).ok()?.as_str()?.as_bytes()),
            b'{' => Some(text.to_string()),
            _ => None,
        }
    }
}
