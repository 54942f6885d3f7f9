//! A column of a result: what is read of each item, all of it or a field, and what becomes of it.

use std::rc::Rc;

use super::cast::Cast;
use crate::metadata::DataType;

/// A field that is read of each item.
#[derive(Debug, Clone)]
pub struct OutputField {
    /// Bytes into the item.
    pub offset: usize,
    /// Type of the item, or of the field, as it is stored.
    pub data_type: DataType,
    /// The fill value, or the field of it, as it is stored.
    pub fill_value: Vec<u8>,
    /// Cast of the field; nothing where it stays as it is.
    pub cast: Option<Rc<Cast>>,
    /// A row of the result begins at a multiple of so many bytes, or where the last one ends if that is none.
    pub row_alignment: Option<usize>,
}

impl OutputField {
    /// All of each item, as it is.
    #[must_use]
    pub fn whole(data_type: &DataType, fill_value: &[u8]) -> Self {
        Self {
            offset: 0,
            data_type: data_type.clone(),
            fill_value: fill_value.to_vec(),
            cast: None,
            row_alignment: None,
        }
    }

    /// Bytes from one row of so many items to the next.
    #[must_use]
    pub fn row_size(&self, length: u64) -> u64 {
        let size = length.saturating_mul(self.item_size() as u64);
        size.checked_next_multiple_of(self.row_alignment.unwrap_or(1) as u64).unwrap_or(u64::MAX)
    }

    /// Bytes of a result of this shape.
    #[must_use]
    pub fn size(&self, shape: &[u64]) -> u64 {
        match shape {
            [] => self.item_size() as u64,
            [rows @ .., length] => rows.iter().copied().fold(self.row_size(*length), u64::saturating_mul),
        }
    }

    /// Bytes of an item of the result.
    #[must_use]
    pub fn item_size(&self) -> usize {
        self.cast.as_ref().map_or(self.data_type.item_size(), |cast| cast.sizes().1)
    }
}
