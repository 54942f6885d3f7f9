//! JSON values, and the fields of JSON objects.

use super::number::json_number::JsonNumber;

/// A JSON value.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(JsonNumber),
    /// Text.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// An object.
    Object(Map),
}

/// Fields of an object, in the order of the text.
///
/// A name may occur twice; the last one counts, as in JavaScript. Fields are not checked for duplicates when they are
/// added, which would take quadratic time in a large object, or a hash table.
#[derive(Debug, Clone, Default)]
pub struct Map(pub(super) Vec<(String, Value)>);

impl Value {
    /// The field with this name; `None` if there is none, or if this is not an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// Mutable access to the field with this name.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Object(fields) = self else { return None };
        fields.get_mut(name)
    }

    /// The fields, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Map> {
        if let Self::Object(fields) = self { Some(fields) } else { None }
    }

    /// The items, if this is a list.
    #[must_use]
    pub fn as_array(&self) -> Option<&Vec<Self>> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The text, if this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The boolean, if this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(truth) = self { Some(*truth) } else { None }
    }

    /// The number, if this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&JsonNumber> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// The integer, if this is one from 0 to 2^64 - 1, written without a fraction or an exponent.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// The integer, if this is one from -2^63 to 2^63 - 1, written without a fraction or an exponent.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// The nearest `f64`, if this is a number.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().map(JsonNumber::as_f64)
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether this is a number.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.as_number().is_some()
    }

    /// Whether this is a string.
    #[must_use]
    pub fn is_string(&self) -> bool {
        self.as_str().is_some()
    }

    /// Whether this is a list.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.as_array().is_some()
    }

    /// Whether this is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.as_object().is_some()
    }

    /// A list of these items.
    #[must_use]
    pub fn list<const N: usize>(items: [Self; N]) -> Self {
        Self::Array(items.into())
    }

    /// An object of these fields.
    #[must_use]
    pub fn object<const N: usize>(fields: [(&str, Self); N]) -> Self {
        let mut map = Map::new();
        for (name, value) in fields {
            map.insert(name.to_owned(), value);
        }
        Self::Object(map)
    }
}
