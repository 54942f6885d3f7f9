//! The fields of an object: adding and finding them.

use super::value::{Map, Value};

impl Map {
    /// An object without fields.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a field at the end; it hides an earlier field with the same name.
    pub fn insert(&mut self, name: String, value: Value) {
        self.0.push((name, value));
    }

    /// The value with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.iter_mut().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The fields in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// The names in their order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name)
    }

    /// The values in their order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Whether there is a field with this name.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for Map {
    /// Whether both have fields with the same names and values, in any order.
    fn eq(&self, other: &Self) -> bool {
        let sorted = |map: &Self| {
            let mut places: Vec<usize> = (0..map.0.len()).collect();
            places.sort_unstable_by(|&one, &other| map.0[one].0.cmp(&map.0[other].0).then(one.cmp(&other)));
            places
        };
        self.0.len() == other.0.len()
            && sorted(self).into_iter().zip(sorted(other)).all(|(one, two)| self.0[one] == other.0[two])
    }
}
