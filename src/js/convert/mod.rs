//! Conversion between JavaScript values and Rust values: numbers, objects, options, bytes, typed arrays.
//!
//! It uses no other folder of `js`.

pub(super) mod bytes;
pub(super) mod items;
pub(super) mod value;
