//! Data types and codecs as JSON, for workers, which decode chunks without the metadata document.
//!
//! Invariant: reading the JSON gives an equal value, including the pointers of codecs. Types are written as in v3,
//! except those that only Zarr v2 has: structs whose fields have byte orders or shapes, and items that are lists.

use super::data_type::Field;
use super::data_type::{DataType, Kind};
use super::ndarray;
use super::structure::FieldList;
use crate::error::Result;
use crate::metadata::extension::Extension;
use crate::metadata::json::document::Json;
use crate::metadata::json::value::Value;

impl DataType {
    /// The type as JSON.
    #[must_use]
    pub fn described(&self) -> Value {
        let name = self.name();
        fn configured<const N: usize>(name: &str, settings: [(&str, Value); N]) -> Value {
            Value::object([("name", name.into()), ("configuration", Value::object(settings))])
        }
        match self.kind() {
            _ if name == ndarray::NAME => {
                let length = |length: Option<u64>| length.map_or(Value::Null, Value::from);
                let shape = self.item_shape().unwrap_or_default().into_iter().map(length).collect();
                configured(name, [("dtype", self.innermost().name().into()), ("shape", shape)])
            }
            Kind::Struct(fields) => {
                let field = |Field { name, data_type, big_endian, .. }: &Field| {
                    Value::list([name.as_str().into(), data_type.described(), (*big_endian).into()])
                };
                Value::object([("struct", name.into()), ("fields", fields.iter().map(field).collect())])
            }
            Kind::Subarray { element, shape } => {
                let shape = shape.iter().map(|&length| Value::from(length)).collect();
                Value::object([("subarray", element.described()), ("shape", shape)])
            }
            Kind::Ragged(part) => Value::object([("ragged", part.described())]),
            Kind::Time { unit, scale } => {
                configured(name, [("unit", unit.as_str().into()), ("scale_factor", (*scale).into())])
            }
            // The size of `r16` is in its name.
            Kind::Raw if name != "raw_bytes" => name.into(),
            Kind::Utf32 | Kind::PaddedBytes | Kind::Raw => {
                configured(name, [("length_bytes", (self.item_size() as u64).into())])
            }
            _ => name.into(),
        }
    }

    /// Reads a type that [`DataType::described`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] for any other JSON.
    pub fn from_described(json: Json<'_>) -> Result<Self> {
        if let Some(part) = json.field("ragged") {
            return Self::from_described(part).map(Self::ragged);
        }
        if let Some(element) = json.field("subarray") {
            return Self::subarray(Self::from_described(element)?, json.required("shape")?);
        }
        let Some(name) = json.field("struct") else { return Self::parse(json) };
        let mut fields = FieldList::default();
        let list = json.required("fields")?;
        for item in list.items()? {
            let mut parts = item.items()?;
            let (Some(name), Some(part), Some(big_endian)) = (parts.next(), parts.next(), parts.next())
            else {
                return Err(item.expected("a field"));
            };
            let data_type = Self::from_described(part)?;
            fields.push(
                item,
                name.string()?.to_owned(),
                data_type,
                *big_endian.value() == Value::Bool(true),
            )?;
        }
        fields.finish(name.string()?, list)
    }
}

impl Extension {
    /// The codec as JSON.
    #[must_use]
    pub fn described(&self) -> Value {
        let Self { name, must_understand, pointer, configuration, settings_pointer } = self;
        let [name, pointer, settings_pointer] =
            [name, pointer, settings_pointer].map(|text| Value::from(text.as_str()));
        Value::list([name, (*must_understand).into(), pointer, configuration.clone(), settings_pointer])
    }

    /// Reads a codec that [`Extension::described`] wrote.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] for any other JSON.
    pub fn from_described(json: Json<'_>) -> Result<Self> {
        let Some([name, must_understand, pointer, configuration, settings_pointer]) =
            json.value().as_array().map(Vec::as_slice)
        else {
            return Err(json.expected("a codec"));
        };
        let text = |value: &Value| Json::root(value).string().map(str::to_owned);
        Ok(Self {
            name: text(name)?,
            must_understand: *must_understand == Value::Bool(true),
            pointer: text(pointer)?,
            configuration: configuration.clone(),
            settings_pointer: text(settings_pointer)?,
        })
    }
}
