//! Values of JavaScript as Rust reads and makes them: numbers, objects, options, bytes, typed arrays.
//!
//! It uses no other room of `js`.

pub(super) mod bytes;
pub(super) mod objects;
pub(super) mod option;
pub(super) mod typed_array;
pub(super) mod value;
