//! Comparison of the data types and items of two arrays by their meaning.

use super::data_type::{DataType, Kind};

impl DataType {
    /// Whether decoded items of both types mean the same. Synonymous names, and the stored byte orders of a struct's
    /// fields, may differ.
    #[must_use]
    pub fn means_the_same(&self, other: &Self) -> bool {
        let is_same = match (self.kind(), other.kind()) {
            (Kind::Struct(one), Kind::Struct(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| {
                        one.name == other.name
                            && one.offset == other.offset
                            && one.data_type.means_the_same(&other.data_type)
                    })
            }
            (Kind::Complex(one), Kind::Complex(other)) | (Kind::Ragged(one), Kind::Ragged(other)) => {
                one.means_the_same(other)
            }
            (
                Kind::Subarray { element: one, shape },
                Kind::Subarray { element: other, shape: other_shape },
            ) => shape == other_shape && one.means_the_same(other),
            (one, other) => one == other,
        };
        is_same && self.item_size() == other.item_size()
    }

    /// Whether two little endian items of this type are equal; NaN equals NaN, whatever its bits.
    #[must_use]
    pub fn is_same_item(&self, one: &[u8], other: &[u8]) -> bool {
        if one == other {
            return true;
        }
        if one.len() != self.item_size() || other.len() != self.item_size() {
            return false;
        }
        match self.kind() {
            Kind::Float => is_nan(one) && is_nan(other),
            Kind::MiniFloat(format) => {
                let mut items = format.widened(one).chain(format.widened(other));
                items.all(f32::is_nan)
            }
            Kind::Complex(part) => {
                let (one, other) = (one.split_at(part.item_size()), other.split_at(part.item_size()));
                part.is_same_item(one.0, other.0) && part.is_same_item(one.1, other.1)
            }
            Kind::Subarray { element, .. } => {
                let (one, other) =
                    (one.chunks_exact(element.item_size()), other.chunks_exact(element.item_size()));
                one.zip(other).all(|(one, other)| element.is_same_item(one, other))
            }
            Kind::Struct(fields) => fields.iter().all(|field| {
                let place = field.offset..field.offset + field.data_type.item_size();
                field.data_type.is_same_item(&one[place.clone()], &other[place])
            }),
            _ => false,
        }
    }
}

/// Whether an IEEE float of 2, 4 or 8 bytes is NaN: without its sign, its bits are above those of infinity.
fn is_nan(item: &[u8]) -> bool {
    let bits = item.iter().rev().fold(0, |bits: u64, &byte| bits << 8 | u64::from(byte));
    let (infinity, sign): (u64, u64) = match item.len() {
        2 => (0x7c00, 1 << 15),
        4 => (0x7f80_0000, 1 << 31),
        _ => (0x7ff0_0000_0000_0000, 1 << 63),
    };
    bits & !sign > infinity
}
