//! `struct`: items of named fields, packed one after the other; also its older spelling `structured`.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/struct>

use serde_json::Value;

use super::data_type::{DataType, Kind, MAX_ITEM_BYTES};
use super::document::Json;
use super::extension::Extension;
use crate::error::Result;

/// The most fields of a struct: 1024, more than any table that is stored as one; looking for a name is a walk.
const MAX_FIELDS: usize = 1024;

/// A field of a struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Bytes from the start of the item.
    pub offset: usize,
    /// Its type, of a fixed size.
    pub data_type: DataType,
}

/// Reads the configuration.
pub(super) fn parse(extension: &Extension) -> Result<DataType> {
    let settings = extension.settings();
    settings.only_fields(&["fields"])?;
    let list = settings.required("fields")?;
    let mut fields: Vec<Field> = Vec::new();
    let mut size = 0;
    for item in list.items()? {
        let (name, data_type) = field(item)?;
        if data_type.is_variable() {
            return Err(item
                .invalid(format!("the field {name:?} has items of any length, which a struct cannot hold")));
        }
        if name.is_empty() || fields.iter().any(|field| field.name == name) {
            return Err(item.invalid(format!("the field name {name:?} is empty or was there before")));
        }
        if fields.len() == MAX_FIELDS {
            return Err(list.invalid(format!("there are more than {MAX_FIELDS} fields")));
        }
        let offset = size;
        size += data_type.item_size();
        fields.push(Field { name, offset, data_type });
        if size as u64 > MAX_ITEM_BYTES {
            return Err(list.invalid(format!("an item has more than {MAX_ITEM_BYTES} bytes")));
        }
    }
    if fields.is_empty() {
        return Err(list.invalid("a struct has at least one field"));
    }
    Ok(DataType::new(&extension.name, Kind::Struct(fields), size as u64))
}

/// `{"name": …, "data_type": …}`, or the older `[name, data type]`.
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
