//! Virtual stores (kerchunk, Icechunk, cfdb): their index is asked where a key's bytes are, other hosts for the bytes.
//!
//! It uses drivers and stores; both know it by a trait of `stores` only.

pub(super) mod driver;
pub(super) mod index_module;
pub(super) mod origin_pool;
pub(super) mod provide;
pub(super) mod provided_input;
