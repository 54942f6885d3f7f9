//! Zarr documents of a file: one for each dataset and group; a group's has those of all nodes below it.

use super::attribute::Attribute;
use super::chunk::ChunkGrid;
use super::datatype::{Class, Datatype};
use super::dimensions::{Dimensions, is_hidden};
use super::fault::{Read, all};
use super::file::FileBytes;
use super::global_heap::Collections;
use super::layout::Layout;
use super::object::{Content, Dataset, Object};
use super::stored_type::StoredType;
use super::tree::{Tree, shown};
use crate::metadata::{MAX_ITEM_BYTES, Map, Value};
use crate::source::original::{DocumentBytes, Lack, decides, group_document, singles_field, unreadable};

impl Tree {
    /// Writes the document of a node; `None` where the node is no node of Zarr's.
    pub(super) fn document(
        &self,
        file: &FileBytes,
        dimensions: &Dimensions,
        number: usize,
    ) -> Read<Option<Vec<u8>>> {
        let node = &self.nodes[number];
        if dimensions.hides(number) {
            return Ok(None);
        }
        let object = node.object.as_ref().map_err(|error| Lack::from(error.clone()))?;
        if !matches!(object.content, Content::Group(_)) {
            return self
                .member(file, dimensions, number)
                .map(|document| Some(document.to_string().into_bytes()));
        }
        let prefix = if node.path.is_empty() { String::new() } else { format!("{}/", node.path) };
        let below = self.nodes.iter().enumerate().filter(|(other, node)| {
            *other != number && node.path.starts_with(&prefix) && !dimensions.hides(*other)
        });
        let below: Vec<(usize, &str)> =
            below.map(|(other, node)| (other, &node.path[prefix.len()..])).collect();
        let (mut bytes, none) = (DocumentBytes::default(), Map::new());
        let documents = all(below.iter().map(|(other, _)| {
            let document = self.member(file, dimensions, *other)?;
            bytes.add(document.as_object().unwrap_or(&none), 1)?;
            Ok(document)
        }))?;
        let own = attributes(file, object)?;
        let mut named: Vec<(String, Value)> =
            below.iter().map(|(_, path)| shown(path)).zip(documents).collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Some(group_document(&own, named)))
    }

    /// The document of a node, without those below it. One that cannot be read is an array of a type that says why.
    fn member(&self, file: &FileBytes, dimensions: &Dimensions, number: usize) -> Read<Value> {
        let object = match &self.nodes[number].object {
            Ok(object) => object,
            Err(error) => return Ok(unreadable(error)),
        };
        match &object.content {
            Content::Group(_) | Content::Datatype => Ok(Value::object([
                ("zarr_format", 3_u64.into()),
                ("node_type", "group".into()),
                ("attributes", Value::Object(attributes(file, object)?)),
            ])),
            Content::Dataset(dataset) => {
                array(file, object, dataset, dimensions.json(number), dimensions.lengths(number))
            }
        }
    }
}

/// An object's attributes as JSON, without those that say how dimensions are stored.
fn attributes(file: &FileBytes, object: &Object) -> Read<Map> {
    let shown = || object.attributes.iter().filter(|attribute| !is_hidden(&attribute.name));
    let values = all(shown().map(|attribute| attribute.value(file)))?;
    let mut attributes = Map::new();
    for (attribute, value) in shown().zip(values) {
        if let Some(value) = value {
            attributes.insert(attribute.name.clone(), value);
        }
    }
    Ok(attributes)
}

/// Document of a dataset; `lengths` are those of its axes where a dimension is longer than what was written.
fn array(
    file: &FileBytes,
    object: &Object,
    dataset: &Dataset,
    names: Value,
    lengths: Option<&[u64]>,
) -> Read<Value> {
    let mut own = attributes(file, object)?;
    let item = dataset.item();
    add_flags(&mut own, item.element().0);
    let fill_json = fill_json(file, dataset)?;
    let stored = match dataset.refusal() {
        Some(feature) => Err(feature.to_owned()),
        None => StoredType::new(&item, dataset.item_fill().as_deref(), fill_json),
    };
    let mut grid = ChunkGrid::new(dataset);
    // Only chunks can be missing, and only datasets in chunks grow.
    if let (Some(lengths), Layout::Chunked(_)) = (lengths, &dataset.layout) {
        let own = lengths.len() - usize::from(dataset.letters.is_some());
        grid.shape[..own].copy_from_slice(&lengths[..own]);
    }
    let stored = stored.unwrap_or_else(|feature| StoredType {
        data_type: Value::object([("name", feature.into())]),
        fill_value: 0_u64.into(),
        codec: Value::object([("name", "bytes".into())]),
    });
    let mut codecs = vec![stored.codec];
    if !dataset.is_rewritten() {
        codecs.extend(dataset.filters.iter().filter_map(|filter| filter.codec(&dataset.datatype)));
    }
    let shape: Value = grid.shape.iter().copied().collect();
    let mut fields = vec![
        ("zarr_format", 3_u64.into()),
        ("node_type", "array".into()),
        ("shape", shape),
        ("data_type", stored.data_type),
        ("chunk_grid", grid.json()),
        ("chunk_key_encoding", Value::object([("name", "default".into())])),
        ("fill_value", stored.fill_value),
        ("codecs", Value::Array(codecs)),
        ("attributes", Value::Object(own)),
    ];
    let names = match names {
        Value::Array(mut names) if dataset.letters.is_some() => {
            names.pop();
            Value::Array(names)
        }
        names => names,
    };
    if names.as_array().is_some_and(|names| names.len() == grid.shape.len()) {
        fields.push(("dimension_names", names));
    }
    let is_single = |attribute: &&Attribute| {
        let Attribute { name, datatype, space, .. } = attribute;
        decides(name) && datatype.class == Class::Float && datatype.size == 4 && space.items() == 1
    };
    let singles = object.attributes.iter().filter(is_single).map(|attribute| attribute.name.clone());
    fields.extend(singles_field(&singles.collect::<Vec<_>>()));
    let mut document = Map::new();
    for (name, value) in fields {
        document.insert(name.to_owned(), value);
    }
    Ok(Value::Object(document))
}

/// The fill value of a dataset whose items lie in heaps.
fn fill_json(file: &FileBytes, dataset: &Dataset) -> Read<Value> {
    let (element, _) = dataset.datatype.element();
    if element.size > MAX_ITEM_BYTES {
        return Ok(Value::Null);
    }
    if ![Class::VariableText, Class::ObjectReference].contains(&element.class) && !element.is_object() {
        return Ok(Value::Null);
    }
    // Zeros are texts without letters, and lists without items.
    let item = dataset.fill.clone().unwrap_or_else(|| vec![0; element.size as usize]);
    let item = item.get(..element.size as usize).unwrap_or(&item);
    let Ok(references) = element.references(file, item) else { return Ok("".into()) };
    let mut heaps = Collections::default();
    heaps.load(file, &references)?;
    Ok(element.value(file, &heaps, item)?.unwrap_or_else(|| "".into()))
}

/// Adds CF's attributes for the names of an enumeration, unless they exist or the names have blanks.
fn add_flags(attributes: &mut Map, datatype: &Datatype) {
    let Class::Enum { base, names, values } = &datatype.class else { return };
    let Class::Integer { is_signed } = base.class else { return };
    let is_named = attributes.contains_key("flag_values") || attributes.contains_key("flag_meanings");
    if datatype.is_bool() || is_named || names.is_empty() || names.iter().any(|name| name.contains(' ')) {
        return;
    }
    let values = values.chunks_exact(base.size as usize).map(|value| base.integer(is_signed, value));
    attributes.insert("flag_values".to_owned(), Value::Array(values.collect()));
    attributes.insert("flag_meanings".to_owned(), names.join(" ").into());
}
