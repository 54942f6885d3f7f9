//! Document of a group that a file shows: its attributes, and the documents of all nodes below it.

use crate::metadata::{Map, Value};

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
