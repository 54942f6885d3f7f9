//! The reference document: keys with their references, each parsed when its key is looked up.
//!
//! Invariant: a reference stays text until it is looked up, so a million of them cost little more than their document.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::template::Templates;
use crate::error::{Error, Result};
use crate::metadata::{Json, Value, member, member_value, members, quote_bare_numbers};
use crate::source::{ByteLocation, is_document};

/// References by key.
#[derive(Debug, Default)]
pub struct References {
    pub(super) entries: HashMap<String, Box<str>>,
    /// JSON pointer to the entries in the document.
    pointer: &'static str,
    templates: Templates,
}

impl References {
    /// Parses a reference document; `None` where it is JSON of another kind.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where the document is malformed; [`Error::Unsupported`] for another version and for
    /// `gen`.
    pub fn parse(document: &[u8]) -> Result<Option<Self>> {
        let text = quote_bare_numbers(document);
        let Some(fields) = members(&text) else {
            let value = Json::parse(document)?;
            return Err(Json::root(&value).expected("an object"));
        };
        let Some(refs) = member(&fields, "refs") else {
            // Version 0 has no marker; a metadata document among the keys stands in for one.
            if !fields.iter().any(|(key, _)| is_document(key)) {
                return Ok(None);
            }
            return Ok(Some(Self { entries: kept(fields), pointer: "", templates: Templates::default() }));
        };
        let field = |name| member_value(&fields, name).unwrap_or(Value::Null);
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
        Ok(Some(Self { templates, ..Self::of_object(refs, "/refs")? }))
    }

    /// References of an object whose values they are, at this pointer of its document; without templates.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where it is no object.
    pub(super) fn of_object(object: &str, pointer: &'static str) -> Result<Self> {
        let entries = members(object.as_bytes()).map(kept);
        let entries = entries.ok_or_else(|| Error::metadata(pointer, "expected an object"))?;
        Ok(Self { entries, pointer, templates: Templates::default() })
    }

    /// Location of the bytes of a key. A URL of `null` gives an empty address, which is the document itself.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where the reference is malformed, [`Error::Unsupported`] where its template is.
    pub fn place(&self, key: &str) -> Result<ByteLocation> {
        if let Some(document) = self.consolidated(key) {
            return Ok(ByteLocation::Inline(document));
        }
        let Some(text) = self.entries.get(key) else { return Ok(ByteLocation::Missing) };
        let pointer = self.pointer_of(key);
        let value = Value::parse(text.as_bytes())
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
        Ok(ByteLocation::File { url, span })
    }

    fn pointer_of(&self, key: &str) -> String {
        format!("{}/{}", self.pointer, key.replace('~', "~0").replace('/', "~1"))
    }
}

fn kept(entries: Vec<(String, &str)>) -> HashMap<String, Box<str>> {
    entries.into_iter().map(|(key, text)| (key, text.into())).collect()
}

/// Inline bytes: text, or base64 after the prefix `base64:`.
fn inline(text: &str, json: Json<'_>) -> Result<Vec<u8>> {
    let Some(letters) = text.strip_prefix("base64:") else { return Ok(text.as_bytes().to_vec()) };
    STANDARD.decode(letters).map_err(|error| json.invalid(format!("invalid base64: {error}")))
}
