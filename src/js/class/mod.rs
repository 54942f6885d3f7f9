//! The exported classes, and the functions that create them.
//!
//! The top folder of `js`: it uses all others, and no other uses it.

pub(super) mod array;
pub(super) mod chunk_grid;
pub(super) mod concat;
pub(super) mod encoded;
pub(super) mod group;
pub(super) mod opening;
pub(super) mod planned;
pub(super) mod read;
pub(super) mod reduction;
pub(super) mod times;
