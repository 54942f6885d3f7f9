//! Conversions of Rust values to JSON values, and comparisons with them.

use std::ops::Index;

use super::value::{Map, Value};

impl Index<&str> for Value {
    type Output = Self;

    /// The field with this name, or null.
    fn index(&self, name: &str) -> &Self {
        self.get(name).unwrap_or(&Self::Null)
    }
}

impl Index<&str> for Map {
    type Output = Value;

    /// The value with this name, or null.
    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

impl PartialEq<str> for Value {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == Some(text)
    }
}

impl PartialEq<&str> for Value {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == Some(text)
    }
}

impl PartialEq<u64> for Value {
    fn eq(&self, number: &u64) -> bool {
        self.as_u64() == Some(*number)
    }
}

impl PartialEq<bool> for Value {
    fn eq(&self, truth: &bool) -> bool {
        self.as_bool() == Some(*truth)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<Map> for Value {
    fn from(fields: Map) -> Self {
        Self::Object(fields)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number.into())
    }
}

impl<T: Into<Self>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}
