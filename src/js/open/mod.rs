//! Opening: the store for an address or an object, and the hierarchy of arrays and groups in it.
//!
//! It uses virtual stores, drivers and array sources. The exported classes are made in `class` only.

pub(super) mod context;
pub(super) mod hierarchy;
