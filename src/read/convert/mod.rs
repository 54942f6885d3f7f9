//! Conversions of items on their way into a result, as options or attributes ask for them.

mod attributes;
pub(crate) mod casts;
pub(crate) mod conversion;
mod planned_casts;
