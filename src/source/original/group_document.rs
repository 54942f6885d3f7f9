//! Documents of what a file shows: of a group, with those of all nodes below it, and of what cannot be read.

use crate::error::Error;
use crate::metadata::{MAX_METADATA_BYTES, Map, UNREADABLE, Value};

/// Bytes of documents and attributes, which are bounded as those of a document are.
#[derive(Debug, Default)]
pub(crate) struct DocumentBytes(usize);

impl DocumentBytes {
    /// Adds the bytes of an object, in so many copies.
    ///
    /// # Errors
    /// Where all of them are more than 64 MiB.
    pub(crate) fn add(&mut self, object: &Map, copies: usize) -> Result<(), Error> {
        self.0 = self.0.saturating_add(bytes_of(object).saturating_mul(copies));
        if self.0 <= MAX_METADATA_BYTES {
            return Ok(());
        }
        let reason =
            "what the file says of its members takes more than 64 MiB; open a part of the file".to_owned();
        Err(Error::Unsupported { feature: "a file of so many attributes".to_owned(), reason })
    }
}

/// Bytes of an object as JSON, about.
fn bytes_of(object: &Map) -> usize {
    object.iter().map(|(name, value)| name.len() + 4 + bytes(value)).sum::<usize>() + 2
}

/// Bytes of a value as JSON, about.
fn bytes(value: &Value) -> usize {
    match value {
        Value::Object(object) => bytes_of(object),
        Value::Array(items) => items.iter().map(|item| 1 + bytes(item)).sum::<usize>() + 2,
        Value::String(text) => text.len() + 2,
        _ => 4,
    }
}

/// Writes a group's document, with those of the nodes below it by their paths.
pub(crate) fn group_document(attributes: &Map, below: Vec<(String, Value)>) -> Vec<u8> {
    let mut documents = Map::new();
    for (path, document) in below {
        documents.insert(path, document);
    }
    let consolidated = Value::object([
        ("kind", "inline".into()),
        ("must_understand", false.into()),
        ("metadata", Value::Object(documents)),
    ]);
    let group = Value::object([
        ("zarr_format", 3_u64.into()),
        ("node_type", "group".into()),
        ("attributes", Value::Object(attributes.clone())),
        ("consolidated_metadata", consolidated),
    ]);
    group.to_string().into_bytes()
}

/// Document of what cannot be read, an array whose name of a type says why: lists of members show it, and whoever opens it
/// gets the error.
pub(crate) fn unreadable(error: &Error) -> Value {
    let none = || Value::Array(Vec::new());
    let fault = match error {
        Error::Unsupported { feature, reason } => {
            Value::object([("feature", feature.as_str().into()), ("reason", reason.as_str().into())])
        }
        Error::InvalidMetadata { path, reason, .. } => {
            Value::object([("path", path.as_str().into()), ("reason", reason.as_str().into())])
        }
        other => Value::object([("reason", other.to_string().into())]),
    };
    Value::object([
        ("zarr_format", 3_u64.into()),
        ("node_type", "array".into()),
        ("shape", none()),
        ("data_type", Value::object([("name", error.to_string().into())])),
        (UNREADABLE, fault),
    ])
}
