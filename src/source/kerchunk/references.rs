//! The document: its keys, each with what is said of it, which is looked at when the key is wanted.
//!
//! Invariant: what is not wanted stays text, so that a million references cost little more than their document.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::template::Templates;
use crate::error::{Error, Result};
use crate::metadata::{Json, Value, member, member_value, members, quote_bare_numbers};
use crate::source::{ByteLocation, is_document};

/// Where the bytes of many keys are.
#[derive(Debug, Default)]
pub struct References {
    pub(super) entries: HashMap<String, Box<str>>,
    /// Where the entries are in the document, as a JSON pointer.
    pointer: &'static str,
    templates: Templates,
}

impl References {
    /// The references that a document holds; nothing where it is JSON of another kind.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where it is no JSON, or malformed; [`Error::Unsupported`] for another version
    /// and for `gen`.
    pub fn parse(document: &[u8]) -> Result<Option<Self>> {
        let text = quote_bare_numbers(document);
        let Some(fields) = members(&text) else {
            let value = Json::parse(document)?;
            return Err(Json::root(&value).expected("an object"));
        };
        let Some(refs) = member(&fields, "refs") else {
            // Version 0 has no mark but the documents that any hierarchy has.
            if !fields.iter().any(|(key, _)| is_document(key)) {
                return Ok(None);
            }
            return Ok(Some(Self { entries: kept(fields), pointer: "", templates: Templates::default() }));
        };
        let field = |name| member_value(&fields, name).unwrap_or(Value::Null);
        let version = field("version");
        if version != 1 {
            return Err(Error::Unsupported {
                feature: format!("version {version} of kerchunk's references"),
                reason: "versions 0, which has none, and 1 are read".to_owned(),
            });
        }
        if field("gen").as_array().is_some_and(|list| !list.is_empty()) {
            return Err(Error::Unsupported {
                feature: "references that \"gen\" makes".to_owned(),
                reason: "write them out, as kerchunk does by itself, or with fsspec".to_owned(),
            });
        }
        Ok(Some(Self {
            entries: members(refs.as_bytes())
                .map(kept)
                .ok_or_else(|| Error::metadata("/refs", "expected an object"))?,
            pointer: "/refs",
            templates: Templates::parse(Json::at(&field("templates"), "/templates"))?,
        }))
    }

    /// Where the bytes of a key are. A target of `null` is an empty address: the document's own.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where what is said of it is malformed, [`Error::Unsupported`] for what templates lack.
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
            // As it is written there: what reads it knows what it means.
            Value::Object(_) | Value::Number(_) => Ok(ByteLocation::Inline(text.as_bytes().to_vec())),
            _ => Err(json.expected("text, JSON, or a list of a URL, an offset and a length")),
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
            _ => return Err(json.expected("a URL, or a URL, an offset and a length")),
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

/// Bytes that stand in the document: text, or base64 where it says so.
fn inline(text: &str, json: Json<'_>) -> Result<Vec<u8>> {
    let Some(letters) = text.strip_prefix("base64:") else { return Ok(text.as_bytes().to_vec()) };
    STANDARD.decode(letters).map_err(|error| json.invalid(format!("damaged base64: {error}")))
}
