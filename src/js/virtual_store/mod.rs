//! Virtual stores (kerchunk, Icechunk, cfdb): an index locates the bytes of a key, and hosts deliver the bytes.
//!
//! The folder uses `stores`, which knows virtual stores by a trait only, and `workers` for inputs that are chunks.

pub(super) mod decoded_input;
pub(super) mod driver;
pub(super) mod index_module;
pub(super) mod origin_pool;
pub(super) mod provided_input;
