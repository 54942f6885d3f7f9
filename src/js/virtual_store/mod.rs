//! Virtual stores (kerchunk, Icechunk, cfdb): an index locates the bytes of a key, and hosts deliver the bytes.
//!
//! The folder uses drivers and stores. Both use it only through a trait of `stores`.

pub(super) mod driver;
pub(super) mod index_module;
pub(super) mod origin_pool;
pub(super) mod provide;
pub(super) mod provided_input;
