//! A field of a result: the part of each item that is read, and its cast.

use std::rc::Rc;

use super::cast::Cast;
use crate::metadata::DataType;

/// A field that is read from each item, or the whole item.
#[derive(Debug, Clone)]
pub struct OutputField {
    /// Offset in the item, in bytes.
    pub offset: usize,
    /// Data type of the field, before the cast.
    pub data_type: DataType,
    /// Fill value of the field, before the cast.
    pub fill_value: Vec<u8>,
    /// Cast of the field; `None` leaves it unchanged.
    pub cast: Option<Rc<Cast>>,
    /// Alignment in bytes of each row of the result; `None` leaves no gaps between rows.
    pub row_alignment: Option<usize>,
}

impl OutputField {
    /// The whole item, without a cast.
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

    /// Bytes from one row of `length` items to the next.
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
