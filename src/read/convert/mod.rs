//! Conversions of items by a read's options or an array's attributes.

mod attributes;
pub(crate) mod conversion;
