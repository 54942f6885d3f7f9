//! Opening: the store that an address or an object is, and the hierarchy of arrays and groups in it.
//!
//! It uses virtual stores, drivers and array sources; classes are made in `class` alone.

pub(super) mod context;
pub(super) mod hierarchy;
