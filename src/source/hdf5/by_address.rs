//! Values by addresses in a file.

use std::collections::HashMap;

/// Values, of which each address has one: a table of numbers serves values of every type.
#[derive(Debug)]
pub(super) struct ByAddress<T> {
    numbers: HashMap<u64, usize>,
    values: Vec<T>,
}

impl<T> Default for ByAddress<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), values: Vec::new() }
    }
}

impl<T> ByAddress<T> {
    /// The value of an address.
    pub(super) fn get(&self, address: u64) -> Option<&T> {
        self.values.get(*self.numbers.get(&address)?)
    }

    /// Adds a value; an address that has one keeps it.
    pub(super) fn add(&mut self, address: u64, value: T) {
        if !self.numbers.contains_key(&address) {
            self.numbers.insert(address, self.values.len());
            self.values.push(value);
        }
    }
}
