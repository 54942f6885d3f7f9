//! A group's `zarr.json` with the documents of what is below it in it: made here, as lists of a system have them all.

use std::collections::BTreeMap;

use crate::metadata::{Value, is_json, member_value, members, quote_bare_numbers};

/// Documents by name. They are inserted one by one: to collect them would compile sorting anew.
pub(super) type Documents<'a> = BTreeMap<&'a str, String>;

/// The members of a document, where it is a group's.
pub(super) fn group(document: &str) -> Option<Vec<(String, &str)>> {
    let fields = members(document.as_bytes())?;
    (member_value(&fields, "node_type")? == "group").then_some(fields)
}

/// A group's document, of its members as text, with those of what is below it, by their paths, as consolidated metadata.
pub(super) fn with_members(group: &[(String, &str)], documents: &Documents<'_>) -> Vec<u8> {
    let metadata = object(texts(documents));
    let kept = object([("kind", "\"inline\""), ("must_understand", "false"), ("metadata", &metadata)]);
    let fields = group.iter().map(|(name, value)| (name.as_str(), *value));
    let fields = fields.filter(|(name, _)| *name != "consolidated_metadata");
    object(fields.chain([("consolidated_metadata", kept.as_str())])).into_bytes()
}

/// Documents, to be members of an object.
pub(super) fn texts<'a>(documents: &'a Documents<'_>) -> impl Iterator<Item = (&'a str, &'a str)> {
    documents.iter().map(|(name, document)| (*name, document.as_str()))
}

/// An object of members whose values are JSON.
pub(super) fn object<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let members = members.into_iter().map(|(name, value)| format!("{}:{value}", Value::from(name)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// A document as JSON, bare numbers quoted; none where it is no JSON.
pub(super) fn json(document: &[u8]) -> Option<String> {
    let text = quote_bare_numbers(document);
    is_json(&text).then(|| String::from_utf8(text.into_owned()).ok())?
}
