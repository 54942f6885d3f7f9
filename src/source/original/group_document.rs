//! Documents of what a file shows: of a group, with those of all nodes below it, and of what cannot be read.

use crate::error::Error;
use crate::metadata::{Map, UNREADABLE, Value};

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
