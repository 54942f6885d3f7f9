//! Custom codecs: the entries that stand for them among an array's codecs.
//!
//! Invariant: only what the page's registry of codecs was found to have is replaced, and never in the index of a shard.

use super::array::ArrayMetadata;
use super::extension::Extension;
use super::types::data_type::DataType;
use crate::metadata::json::value::Value;

/// Name of the entries, which no registry has.
const NAME: &str = "rectilinear-zarr.custom";

/// Kind of a custom codec: the form of its input and of its output when it encodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodecKind {
    /// An array as an array.
    ArrayToArray,
    /// An array as bytes.
    ArrayToBytes,
    /// Bytes as bytes.
    BytesToBytes,
}

/// A custom codec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomCodec {
    /// Its name in the metadata.
    pub name: String,
    /// Kind of data that it encodes.
    pub kind: CodecKind,
    /// Type of the items that an array-to-array codec encodes to.
    pub encoded_type: Option<DataType>,
}

impl CustomCodec {
    /// The custom codec that an entry stands for.
    #[must_use]
    pub fn of(entry: &Extension) -> Option<Self> {
        if entry.name != NAME {
            return None;
        }
        let text = |name: &str| entry.configuration.get(name)?.as_str();
        let kind = match text("kind")? {
            "array_to_array" => CodecKind::ArrayToArray,
            "array_to_bytes" => CodecKind::ArrayToBytes,
            _ => CodecKind::BytesToBytes,
        };
        let encoded_type = text("dataType").and_then(DataType::scalar);
        Some(Self { name: text("name")?.to_owned(), kind, encoded_type })
    }
}

impl ArrayMetadata {
    /// Question to the registry of codecs: the array before its codecs, and the codecs.
    #[must_use]
    pub fn codecs_query(&self) -> Value {
        let codec = |codec: &Extension| {
            Value::object([
                ("name", codec.name.as_str().into()),
                ("configuration", codec.configuration.clone()),
            ])
        };
        let edge = |axis: &crate::grid::Axis| Value::from(axis.runs()[0].encoded);
        Value::object([
            ("dataType", self.data_type.name().into()),
            ("itemSize", (self.data_type.item_size() as u64).into()),
            ("shape", self.chunk_grid.axes().iter().map(edge).collect()),
            ("codecs", self.codecs.iter().map(codec).collect()),
        ])
    }

    /// Puts the custom codecs that were found in their places. `found` has an entry for each codec, with those in
    /// the configuration of another after it: null, or the configuration of the entry that stands for it.
    #[must_use]
    pub fn with_custom(mut self, found: &Value) -> Self {
        let mut found = found.as_array().into_iter().flatten();
        for codec in &mut self.codecs {
            match found.next().filter(|entry| entry.is_object()) {
                Some(entry) => (codec.name, codec.configuration) = (NAME.to_owned(), entry.clone()),
                None => replace_inner(&codec.name, Some(&mut codec.configuration), &mut found),
            }
        }
        if self.zarr_format == 2 {
            place_bytes(&mut self.codecs);
        }
        self
    }
}

/// Replaces codecs in the configuration of those around them: shards, whose inner chunks have them, and `conditional`.
fn replace_inner<'a>(
    name: &str,
    configuration: Option<&mut Value>,
    found: &mut impl Iterator<Item = &'a Value>,
) {
    if !["sharding_indexed", "conditional"].contains(&name) {
        return;
    }
    let Some(Value::Array(codecs)) = configuration.and_then(|settings| settings.get_mut("codecs")) else {
        return;
    };
    for codec in codecs {
        if let Some(entry) = found.next().filter(|entry| entry.is_object()) {
            *codec = Value::object([("name", NAME.into()), ("configuration", entry.clone())]);
        } else if let Some(name) = codec.get("name").and_then(Value::as_str).map(str::to_owned) {
            replace_inner(&name, codec.get_mut("configuration"), &mut *found);
        }
    }
}

/// Moves the `bytes` codec that Zarr v2 implies behind the filters that turn arrays into arrays, and removes it where a
/// codec turns arrays into bytes.
fn place_bytes(codecs: &mut Vec<Extension>) {
    let Some(at) = codecs.iter().position(|codec| codec.name == "bytes") else { return };
    let last = |kind| {
        let is_such = |codec: &Extension| CustomCodec::of(codec).is_some_and(|codec| codec.kind == kind);
        codecs.iter().rposition(is_such)
    };
    let (last_array, makes_bytes) = (last(CodecKind::ArrayToArray), last(CodecKind::ArrayToBytes).is_some());
    let bytes = codecs.remove(at);
    if !makes_bytes {
        codecs.insert(last_array.map_or(at, |last| last.max(at)), bytes);
    }
}
