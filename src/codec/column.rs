//! A column of a result: what is read of each item, all of it or a field, and what becomes of it.

use std::rc::Rc;

use super::cast::Cast;
use crate::metadata::DataType;

/// What is read of each item.
#[derive(Debug, Clone)]
pub struct Column {
    /// Bytes into the item.
    pub offset: usize,
    /// Type of the item, or of the field, as it is stored.
    pub data_type: DataType,
    /// The fill value, or the field of it, as it is stored.
    pub fill_value: Vec<u8>,
    /// What becomes of it; nothing where it stays as it is.
    pub cast: Option<Rc<Cast>>,
}

impl Column {
    /// All of each item, as it is.
    #[must_use]
    pub fn whole(data_type: &DataType, fill_value: &[u8]) -> Self {
        Self { offset: 0, data_type: data_type.clone(), fill_value: fill_value.to_vec(), cast: None }
    }

    /// Bytes of an item of the result.
    #[must_use]
    pub fn item_size(&self) -> usize {
        self.cast.as_ref().map_or(self.data_type.item_size(), |cast| cast.sizes().1)
    }
}
