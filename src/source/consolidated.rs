//! A group's `zarr.json` with consolidated metadata, made from the documents that a virtual store lists.

use std::collections::BTreeMap;

use crate::metadata::{Value, is_json, member_value, members, quote_bare_numbers};

/// Documents by name. They are inserted one by one, because `collect` would compile another copy of a sort.
pub(super) type Documents = BTreeMap<String, String>;

/// Members of a group's document; `None` for any other document.
pub(super) fn group(document: &str) -> Option<Vec<(String, &str)>> {
    let fields = members(document.as_bytes())?;
    (member_value(&fields, "node_type")? == "group").then_some(fields)
}

/// Writes a group's document from its members, with the documents below it, by path, as consolidated metadata.
pub(super) fn with_members(group: &[(String, &str)], documents: &Documents) -> Vec<u8> {
    let metadata = object(texts(documents));
    let kept = object([("kind", "\"inline\""), ("must_understand", "false"), ("metadata", &metadata)]);
    let fields = group.iter().map(|(name, value)| (name.as_str(), *value));
    let fields = fields.filter(|(name, _)| *name != "consolidated_metadata");
    object(fields.chain([("consolidated_metadata", kept.as_str())])).into_bytes()
}

/// Documents as members for [`object`].
pub(super) fn texts(documents: &Documents) -> impl Iterator<Item = (&str, &str)> {
    documents.iter().map(|(name, document)| (name.as_str(), document.as_str()))
}

/// Writes a JSON object; the members' values are JSON already.
pub(super) fn object<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let members = members.into_iter().map(|(name, value)| format!("{}:{value}", Value::from(name)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// A document as JSON text with bare numbers quoted; `None` where it is not JSON.
pub(super) fn json(document: &[u8]) -> Option<String> {
    let text = quote_bare_numbers(document);
    is_json(&text).then(|| String::from_utf8(text.into_owned()).ok())?
}
