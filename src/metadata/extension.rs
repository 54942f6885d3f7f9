//! The value of an extension point: a name with an optional configuration, as a bare string or an object.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#extension-definition>

use std::borrow::Borrow;

use super::json::document::Json;
use crate::error::{Error, Result};
use crate::metadata::json::value::{Map, Value};

/// A named codec, data type, chunk grid or chunk key encoding, with its configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Extension {
    /// The registered name.
    pub name: String,
    /// False if a reader that does not know the codec may skip it. Data types, grids and key encodings are never
    /// skipped.
    pub must_understand: bool,
    /// JSON pointer of the extension in its document.
    pub pointer: String,
    pub(super) configuration: Value,
    pub(super) settings_pointer: String,
}

impl Extension {
    /// Reads a bare string or `{"name", "configuration", "must_understand"}`.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] for any other shape.
    pub fn parse(json: Json<'_>) -> Result<Self> {
        if let Value::String(name) = json.value() {
            return Ok(Self::new(name, Value::Object(Map::new()), true, &json));
        }
        if !json.value().is_object() {
            return Err(json.expected("a name, or an object with a \"name\""));
        }
        json.only_fields(&["name", "configuration", "must_understand"])?;
        let configuration = match json.field("configuration") {
            None => Value::Object(Map::new()),
            Some(field) => Value::Object(field.object()?.clone()),
        };
        let must_understand = match json.field("must_understand") {
            None => true,
            Some(field) => field.value().as_bool().ok_or_else(|| field.expected("true or false"))?,
        };
        Ok(Self::new(json.required("name")?.string()?, configuration, must_understand, &json))
    }

    /// Reads a codec of Zarr v2: an object with an `id`. Its name is `numcodecs.` and the id, as in v3, or the id alone
    /// for codecs of other packages, and the other fields are its configuration.
    pub(super) fn from_v2(json: Json<'_>) -> Result<Self> {
        let id = json.required("id")?;
        // A new map, because removing a field would add code to the module.
        let mut configuration = Map::new();
        for (name, value) in json.object()?.iter().filter(|(name, _)| *name != "id") {
            configuration.insert(name.clone(), value.clone());
        }
        let settings_pointer = json.pointer();
        let name = format!("numcodecs.{}", id.string()?);
        let name = own_name(&name).to_owned();
        let configuration = Value::Object(configuration);
        let pointer = settings_pointer.clone();
        Ok(Self { name, must_understand: true, pointer, configuration, settings_pointer })
    }

    /// The name without the prefix `numcodecs.`.
    #[must_use]
    pub fn id(&self) -> &str {
        self.name.strip_prefix("numcodecs.").unwrap_or(&self.name)
    }

    /// Changes the numpy data types in these fields to little endian.
    pub(super) fn forget_byte_order(&mut self, names: &[&str]) {
        for name in names {
            if let Some(Value::String(dtype)) = self.configuration.get_mut(name) {
                *dtype = dtype.replacen('>', "<", 1);
            }
        }
    }

    /// The v3 extension that Zarr v2's field at `place` implies.
    pub(super) fn implied(name: &str, configuration: Value, place: &Json<'_>) -> Self {
        Self::new(name, configuration, true, place)
    }

    /// Adds a field to the configuration.
    pub(super) fn configure(&mut self, name: &str, value: Value) {
        if let Value::Object(fields) = &mut self.configuration {
            fields.insert(name.to_owned(), value);
        }
    }

    /// Another codec in the place of this one.
    #[cfg(feature = "rare")]
    pub(crate) fn replaced(&self, name: &str, configuration: Value) -> Self {
        Self { name: name.to_owned(), configuration, ..self.clone() }
    }

    fn new(name: &str, configuration: Value, must_understand: bool, json: &Json<'_>) -> Self {
        let pointer = json.pointer();
        let settings_pointer = format!("{pointer}/configuration");
        let name = own_name(name).to_owned();
        Self { name, must_understand, pointer, configuration, settings_pointer }
    }

    /// The error that this package does not support the extension.
    #[must_use]
    pub fn unsupported(&self, what: &str, known: &[impl Borrow<str>]) -> Error {
        Error::Unsupported {
            feature: format!("{what} {:?}", self.name),
            reason: format!("found at {}; this build reads {}", self.pointer, known.join(", ")),
        }
    }

    /// The configuration, as a place in the document.
    #[must_use]
    pub fn settings(&self) -> Json<'_> {
        Json::at(&self.configuration, &self.settings_pointer)
    }
}

/// The name that a package other than numcodecs gives its codec, without the prefixes that some writers put before it.
fn own_name(name: &str) -> &str {
    let own = name.strip_prefix("numcodecs.").or(name.strip_prefix("virtual_tiff.")).unwrap_or(name);
    let is_own = own.starts_with("imagecodecs_") || ["ChunkyCodec", "HorizontalDeltaCodec"].contains(&own);
    if is_own { own } else { name }
}
