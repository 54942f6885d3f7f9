//! The data type `struct`: items of named fields, packed without gaps; also under its older name `structured`.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/struct>

use super::data_type::{DataType, Field, Kind, MAX_ITEM_BYTES};
use crate::error::{Gather, Result};
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;

/// The most fields of a struct: 1024. The reason: names are looked up by a linear search.
const MAX_FIELDS: usize = 1024;

/// Builder of a struct's fields that enforces the limits.
#[derive(Debug, Default)]
pub(crate) struct FieldList {
    fields: Vec<Field>,
    size: usize,
}

impl FieldList {
    /// Adds the field that `item` describes.
    pub(crate) fn push(
        &mut self,
        item: Json<'_>,
        name: String,
        data_type: DataType,
        big_endian: bool,
    ) -> Result<()> {
        if data_type.is_variable() {
            return Err(item.invalid(format!(
                "the field {name:?} has a type of variable length; struct fields have fixed sizes"
            )));
        }
        if name.is_empty() || self.fields.iter().any(|field| field.name == name) {
            return Err(item.invalid(format!("the field name {name:?} is empty or used twice")));
        }
        if self.fields.len() == MAX_FIELDS {
            return Err(item.invalid(format!("the struct has more than {MAX_FIELDS} fields")));
        }
        let offset = self.size;
        self.size += data_type.item_size();
        self.fields.push(Field { name, offset, data_type, big_endian });
        if self.size as u64 > MAX_ITEM_BYTES {
            return Err(item.invalid(format!("an item of the struct has more than {MAX_ITEM_BYTES} bytes")));
        }
        Ok(())
    }

    /// Makes the struct type; `list` is the place of the fields, for the error if there are none.
    pub(crate) fn finish(self, name: &str, list: Json<'_>) -> Result<DataType> {
        if self.fields.is_empty() {
            return Err(list.invalid("the struct has no fields; it needs at least one"));
        }
        Ok(DataType::new(name, Kind::Struct(self.fields), self.size as u64))
    }
}

/// The most axes of a field's shape, as in numpy.
const MAX_AXES: usize = 64;

impl DataType {
    /// The type of a field with a shape, `[length, …]`.
    pub(crate) fn subarray(element: Self, shape: Json<'_>) -> Result<Self> {
        let lengths = shape.items()?.map(|length| length.integer(1)).gathered()?;
        Self::of_shape(element, lengths, shape)
    }

    /// The type of items with these lengths, which the metadata have at `shape`.
    pub(super) fn of_shape(element: Self, lengths: Vec<u64>, shape: Json<'_>) -> Result<Self> {
        let size =
            lengths.iter().fold(element.item_size() as u64, |size, &length| size.saturating_mul(length));
        if lengths.is_empty() || lengths.len() > MAX_AXES || size > MAX_ITEM_BYTES {
            let expected = format!("1 to {MAX_AXES} lengths, and up to {MAX_ITEM_BYTES} bytes in all");
            return Err(shape.expected(&expected));
        }
        let name = element.name().to_owned();
        Ok(Self::new(&name, Kind::Subarray { element: Box::new(element), shape: lengths }, size))
    }

    /// The offset in the item, in bytes, and the data type of the field at a path of names with dots between them;
    /// `None` if there is no such field, as within a subarray of structs.
    #[must_use]
    pub fn field(&self, path: &str) -> Option<(usize, &Self)> {
        let Kind::Struct(fields) = self.kind() else { return None };
        fields.iter().find_map(|Field { name, offset, data_type, .. }| {
            match path.strip_prefix(name.as_str())? {
                "" => Some((*offset, data_type)),
                rest => {
                    let (within, data_type) = data_type.field(rest.strip_prefix('.')?)?;
                    Some((offset + within, data_type))
                }
            }
        })
    }
}

/// Reads the configuration of a struct.
pub(crate) fn parse(extension: &Extension) -> Result<DataType> {
    let settings = extension.settings();
    settings.only_fields(&["fields"])?;
    let list = settings.required("fields")?;
    let mut fields = FieldList::default();
    for item in list.items()? {
        let (name, data_type) = field(item)?;
        fields.push(item, name, data_type, false)?;
    }
    fields.finish(&extension.name, list)
}

/// Reads a field: `{"name": …, "data_type": …}`, or the older `[name, data type]`.
fn field(item: Json<'_>) -> Result<(String, DataType)> {
    if let Value::Array(pair) = item.value() {
        let mut parts = item.items()?;
        return match (parts.next(), parts.next(), pair.len()) {
            (Some(name), Some(data_type), 2) => Ok((name.string()?.to_owned(), DataType::parse(data_type)?)),
            _ => Err(item.expected("a field's name and data type")),
        };
    }
    item.only_fields(&["name", "data_type"])?;
    Ok((item.required("name")?.string()?.to_owned(), DataType::parse(item.required("data_type")?)?))
}
