//! The parts of an item that have a byte order.

use super::data_type::{DataType, Field, Kind};

/// A part of an item that has a byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// Offset in the item, in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
    /// Whether it is stored big endian regardless of the `bytes` codec: in Zarr v2, each field has its own byte order.
    pub big_endian: bool,
}

impl DataType {
    /// The parts of an item that have a byte order, without single bytes.
    #[must_use]
    pub fn numbers(&self) -> Vec<Number> {
        let number = |offset, size| Number { offset, size, big_endian: false };
        let numbers = match self.kind() {
            Kind::Complex(part) => {
                vec![number(0, part.item_size()), number(part.item_size(), part.item_size())]
            }
            Kind::Utf32 => (0..self.item_size()).step_by(4).map(|offset| number(offset, 4)).collect(),
            Kind::Struct(fields) => fields.iter().flat_map(Field::numbers).collect(),
            Kind::Subarray { element, .. } => {
                let starts = (0..self.item_size()).step_by(element.item_size().max(1));
                let within = element.numbers();
                let moved = |start| {
                    within.iter().map(move |number| Number { offset: start + number.offset, ..*number })
                };
                starts.flat_map(moved).collect()
            }
            Kind::Raw | Kind::PaddedBytes => Vec::new(),
            _ if self.is_variable() => Vec::new(),
            _ => vec![number(0, self.item_size())],
        };
        numbers.into_iter().filter(|number| number.size > 1).collect()
    }
}

impl Field {
    /// The parts of this field that have a byte order, with offsets in the struct's item.
    fn numbers(&self) -> impl Iterator<Item = Number> {
        self.data_type.numbers().into_iter().map(|number| Number {
            offset: self.offset + number.offset,
            size: number.size,
            big_endian: self.big_endian || number.big_endian,
        })
    }
}
