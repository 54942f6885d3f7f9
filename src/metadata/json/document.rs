//! JSON documents, and values in them that know their JSON pointer (RFC 6901) for error messages.

use super::bare_number::quote_bare_numbers;
use super::other_content::other_content;
use super::parser::{MOST_LEVELS, SyntaxError};
use super::value::{Map, Value};
use crate::error::{Error, Result};
use crate::parts::{Loaded, Opening, later};

/// The longest metadata document that is parsed: 64 MiB.
///
/// The reason: a consolidated group of ten thousand arrays is about 10 MiB, and parsed JSON takes several
/// times the memory of its text.
pub const MAX_METADATA_BYTES: usize = 64 << 20;

/// A value in a document, with its place.
#[derive(Debug, Clone, Copy)]
pub struct Json<'a> {
    value: &'a Value,
    place: JsonPlace<'a>,
}

/// Path from a known pointer to a value; the pointer is built only when an error needs it.
#[derive(Debug, Clone, Copy)]
enum JsonPlace<'a> {
    Pointer(&'a str),
    Field(&'a JsonPlace<'a>, &'a str),
    Item(&'a JsonPlace<'a>, usize),
}

impl<'a> Json<'a> {
    /// Parses a document.
    ///
    /// NaN and infinities that zarr-python and xarray write as bare words are accepted;
    /// [`super::bare_number::bare_number`] distinguishes them from strings.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`]: not JSON (an HTML page is named as such), or longer than [`MAX_METADATA_BYTES`].
    pub fn parse(bytes: &[u8]) -> Result<Value> {
        Self::check_length(bytes.len())?;
        let text = quote_bare_numbers(bytes);
        Value::parse(&text).map_err(|error| fault(bytes, &error))
    }

    /// Checks the length of a document, before memory is allocated for it.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] past [`MAX_METADATA_BYTES`].
    pub fn check_length(bytes: usize) -> Result<()> {
        if bytes <= MAX_METADATA_BYTES {
            return Ok(());
        }
        Err(Error::metadata(
            "",
            format!("the document has {bytes} bytes; at most {MAX_METADATA_BYTES} are read"),
        ))
    }

    /// The whole document.
    #[must_use]
    pub fn root(value: &'a Value) -> Self {
        Self::at(value, "")
    }

    /// A value of a document, at its JSON pointer.
    #[must_use]
    pub fn at(value: &'a Value, pointer: &'a str) -> Self {
        Self { value, place: JsonPlace::Pointer(pointer) }
    }

    /// The value itself.
    #[must_use]
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The JSON pointer of this value.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.place.pointer()
    }

    /// An error at this value.
    pub fn invalid(&self, reason: impl Into<String>) -> Error {
        Error::metadata(self.pointer(), reason)
    }

    /// An error at this value that names the expected and the actual value.
    #[must_use]
    pub fn expected(&self, what: &str) -> Error {
        self.invalid(format!("expected {what}, got {}", excerpt(self.value)))
    }

    /// A field that may be missing.
    #[must_use]
    pub fn field(&'a self, name: &'a str) -> Option<Json<'a>> {
        let value = self.value.get(name)?;
        Some(Json { value, place: JsonPlace::Field(&self.place, name) })
    }

    /// A field that must not be missing.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] at the missing field.
    pub fn required(&'a self, name: &'a str) -> Result<Json<'a>> {
        self.object()?;
        self.field(name).ok_or_else(|| {
            Error::metadata(
                JsonPlace::Field(&self.place, name).pointer(),
                format!("the field {name:?} is missing"),
            )
        })
    }

    /// This value as an object.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] if it is not an object.
    pub fn object(&self) -> Result<&'a Map> {
        self.value.as_object().ok_or_else(|| self.expected("an object"))
    }

    /// The items of this list.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] if it is not a list.
    pub fn items(&'a self) -> Result<impl ExactSizeIterator<Item = Json<'a>>> {
        let items = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        Ok(items
            .iter()
            .enumerate()
            .map(|(index, value)| Json { value, place: JsonPlace::Item(&self.place, index) }))
    }

    /// This value as a string.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] if it is not a string.
    pub fn string(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    /// This value as an integer from `least` to [`crate::grid::MAX_COORDINATE`].
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] if it is not such an integer.
    pub fn integer(&self, least: u64) -> Result<u64> {
        self.value
            .as_u64()
            .filter(|value| (least..=crate::grid::MAX_COORDINATE).contains(value))
            .ok_or_else(|| self.expected(&format!("an integer from {least} to 2^53 - 1")))
    }

    /// Checks that this object has only known fields.
    ///
    /// # Errors
    /// [`Error::Unsupported`] that names the first unknown field.
    pub fn only_fields(&self, known: &[&str]) -> Result<()> {
        match self.object()?.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Error::Unsupported {
                feature: format!("the field {name:?} at {}", self.pointer()),
                reason: format!("this build reads the fields [{}] there", known.join(", ")),
            }),
        }
    }
}

impl JsonPlace<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Pointer(pointer) => (*pointer).to_owned(),
            Self::Field(parent, name) => {
                format!("{}/{}", parent.pointer(), name.replace('~', "~0").replace('/', "~1"))
            }
            Self::Item(parent, index) => format!("{}/{index}", parent.pointer()),
        }
    }
}

/// The error that the text at a pointer is not JSON, or is nested too deep.
pub(crate) fn unreadable(pointer: &str, error: &SyntaxError) -> Error {
    let SyntaxError { is_too_deep, words, line, column } = error;
    let place = format!("at line {line} column {column}");
    Error::metadata(
        pointer,
        if *is_too_deep {
            format!("lists and objects are nested too deep {place}: at most {MOST_LEVELS} levels are read")
        } else {
            format!("not valid JSON: {words} {place}")
        },
    )
}

/// The error that a document is not JSON, with what came in its place.
pub(super) fn fault(bytes: &[u8], error: &SyntaxError) -> Error {
    Loaded::get().map_or_else(Error::from, |part| not_json(part, bytes, error))
}

#[later]
fn not_json(_: Loaded<Opening>, bytes: &[u8], error: &SyntaxError) -> Error {
    if looks_like_html(bytes) {
        let reason = "the host answered with an HTML page instead of JSON; check the URL: \
                      many hosts serve a page for every path that does not exist";
        return Error::metadata("", reason);
    }
    match other_content(bytes) {
        Some(content) => Error::metadata("", format!("not JSON: this is {content}")),
        None => unreadable("", error),
    }
}

/// Whether bytes start like an HTML page.
#[must_use]
pub fn looks_like_html(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes())))
}

/// The start of a value's JSON, short enough for a message.
fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
