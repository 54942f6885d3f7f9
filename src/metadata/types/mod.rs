//! Data types and fill values.

pub(crate) mod data_type;
mod data_type_field;
mod described;
pub(crate) mod fill_value;
pub(crate) mod mini_float;
mod mini_rounding;
pub(crate) mod ndarray;
pub(crate) mod numbers;
pub(crate) mod numpy;
mod sameness;
mod spellings;
pub(crate) mod structure;
pub(crate) mod time;
