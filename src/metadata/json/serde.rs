//! Deserialization of JSON values with serde, for options from JavaScript.

use std::fmt::Formatter;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::number::json_number::JsonNumber;
use super::value::{Map, Value};

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ValueVisitor;

        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = Value;

            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
                Ok(truth.into())
            }

            fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
                Ok(number.into())
            }

            fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
                Ok(number.into())
            }

            fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
                Ok(JsonNumber::from_f64(number).map_or(Value::Null, Value::Number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(text.into())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Value::Array(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
                let mut fields = Map::new();
                while let Some((name, value)) = object.next_entry()? {
                    fields.insert(name, value);
                }
                Ok(Value::Object(fields))
            }
        }

        from.deserialize_any(ValueVisitor)
    }
}
