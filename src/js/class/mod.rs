//! The classes that JavaScript holds, and the functions that make them.
//!
//! The top room of `js`: it uses every other one, and none uses it.

pub(super) mod array;
pub(super) mod chunk_grid;
pub(super) mod concat;
pub(super) mod group;
pub(super) mod opening;
pub(super) mod planned;
pub(super) mod read;
pub(super) mod reads;
pub(super) mod times;
