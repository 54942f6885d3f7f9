//! The options of `open` and of reads, parsed from the caller's objects once and checked.
//!
//! It uses `convert`, worker policies and HTTP options. It opens and reads nothing.

pub(super) mod open_options;
pub(super) mod read_options;
pub(super) mod selection;
