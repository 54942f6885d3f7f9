//! The reference document: keys with their references, each parsed when its key is looked up.
//!
//! Invariant: the document stays text, and a reference is parsed when it is looked up, so a million of them cost little
//! more than their document.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::data_address::location;
use super::template::Templates;
use crate::error::{Error, Result};
use crate::metadata::{Json, ScannedJson, Value, parse_part};
use crate::source::{ByteLocation, is_document};

/// References whose keys one step compares with the names of documents.
const STEP_KEYS: usize = 4096;

/// References by key.
#[derive(Debug)]
pub struct References {
    document: ScannedJson,
    /// Place of the references in the document: 0 is its root.
    object: usize,
    /// Numbers of the references that are metadata documents.
    documents: Vec<usize>,
    /// References whose keys were compared with the names of documents.
    compared: usize,
    /// JSON pointer to the entries in the document.
    pointer: &'static str,
    templates: Templates,
}

impl References {
    /// Names that lead to the references in a document.
    pub(super) const PATH: &'static [&'static str] = &["refs"];

    /// Parses a reference document; `None` where it is JSON of another kind.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where the document is malformed; [`Error::Unsupported`] for another version and for
    /// `gen`.
    pub fn parse(document: Vec<u8>) -> Result<Option<Self>> {
        let mut found = Self::of(ScannedJson::parse(document, Self::PATH)?)?;
        while found.as_mut().is_some_and(|found| !found.step()) {}
        Ok(found)
    }

    /// The references of a document that is scanned along [`Self::PATH`], before any [`Self::step`].
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub(super) fn of(document: ScannedJson) -> Result<Option<Self>> {
        document.check()?;
        if document.len(0).is_none() {
            return Err(expected_object(document.text()));
        }
        if document.get(0, "refs").is_none() {
            // Version 0 has no marker; a metadata document among the keys stands in for one.
            if !document.members(0).any(|(key, _)| is_document(&key)) {
                return Ok(None);
            }
            return Self::at(document, 0, "").map(Some);
        }
        let field = |name| document.value(0, name).unwrap_or_default();
        let version = field("version");
        if version != 1 {
            return Err(Error::Unsupported {
                feature: format!("version {version} of kerchunk references"),
                reason: "version 1, or 0 without the field \"version\", can be read".to_owned(),
            });
        }
        if field("gen").as_array().is_some_and(|list| !list.is_empty()) {
            return Err(Error::Unsupported {
                feature: "the section \"gen\" of kerchunk references".to_owned(),
                reason: "write each reference out, as kerchunk does by default, or with fsspec".to_owned(),
            });
        }
        let templates = Templates::parse(Json::at(&field("templates"), "/templates"))?;
        Ok(Some(Self { templates, ..Self::at(document, 1, "/refs")? }))
    }

    /// References that are the members of an object of a document, at this pointer; without templates.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where it is no object.
    pub(super) fn at(document: ScannedJson, object: usize, pointer: &'static str) -> Result<Self> {
        if document.len(object).is_none() {
            return Err(Error::metadata(pointer, "expected an object"));
        }
        let (documents, templates) = (Vec::new(), Templates::default());
        Ok(Self { document, object, documents, compared: 0, pointer, templates })
    }

    /// Searches some of the references for metadata documents; returns whether all are searched.
    pub(super) fn step(&mut self) -> bool {
        let all = self.document.len(self.object).unwrap_or_default();
        let end = all.min(self.compared + STEP_KEYS);
        for number in self.compared..end {
            if self.document.nth(self.object, number).is_some_and(|(key, _)| is_document(&key)) {
                self.documents.push(number);
            }
        }
        self.compared = end;
        end == all
    }

    /// The text of a reference, which is JSON.
    pub(super) fn entry(&self, key: &str) -> Option<&str> {
        self.document.get(self.object, key)
    }

    /// Keys of the metadata documents.
    pub(super) fn document_keys(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.documents.iter().filter_map(|number| Some(self.document.nth(self.object, *number)?.0))
    }

    /// Location of the bytes of a key. A URL of `null` gives an empty address, which is the document itself.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where the reference is malformed, [`Error::Unsupported`] where its template is.
    pub fn place(&self, key: &str) -> Result<ByteLocation> {
        if let Some(document) = self.consolidated(key) {
            return Ok(ByteLocation::Inline(document));
        }
        let Some(text) = self.entry(key) else { return Ok(ByteLocation::Missing) };
        let pointer = self.pointer_of(key);
        let value = parse_part(text)
            .map_err(|error| Error::metadata(pointer.as_str(), format!("not valid JSON: {}", error.words)))?;
        let json = Json::at(&value, &pointer);
        match &value {
            Value::String(text) => Ok(ByteLocation::Inline(inline(text, json)?)),
            Value::Array(_) => self.target(json),
            // JSON is passed on as it is written.
            Value::Object(_) | Value::Number(_) => Ok(ByteLocation::Inline(text.as_bytes().to_vec())),
            _ => Err(json.expected("a string, a JSON object, or a list [url, offset, length]")),
        }
    }

    fn target(&self, json: Json<'_>) -> Result<ByteLocation> {
        let parts: Vec<Json<'_>> = json.items()?.collect();
        let span = match parts.as_slice() {
            [_] => None,
            [_, offset, length] => {
                let (offset, length) = (offset.integer(0)?, length.integer(0)?);
                Some(offset..offset + length)
            }
            _ => return Err(json.expected("a list [url] or [url, offset, length]")),
        };
        let url = match parts[0].value() {
            Value::Null => String::new(),
            Value::String(url) => self.templates.applied(url, parts[0])?,
            _ => return Err(parts[0].expected("a URL or null")),
        };
        location(url, span, || json.pointer())
    }

    fn pointer_of(&self, key: &str) -> String {
        format!("{}/{}", self.pointer, key.replace('~', "~0").replace('/', "~1"))
    }
}

/// The error of a document that is no object.
pub(super) fn expected_object(document: &[u8]) -> Error {
    match Json::parse(document) {
        Ok(value) => Json::root(&value).expected("an object"),
        Err(error) => error,
    }
}

/// Inline bytes: text, or base64 after the prefix `base64:`.
fn inline(text: &str, json: Json<'_>) -> Result<Vec<u8>> {
    let Some(letters) = text.strip_prefix("base64:") else { return Ok(text.as_bytes().to_vec()) };
    STANDARD.decode(letters).map_err(|error| json.invalid(format!("invalid base64: {error}")))
}
