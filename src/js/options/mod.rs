//! The options of `open` and of reads, parsed from the caller's objects once and checked.
//!
//! It uses `convert`, worker policies and HTTP options. It opens and reads nothing.

pub(super) mod get_options;
pub(super) mod numbers;
pub(super) mod open_options;
pub(super) mod output_options;
pub(super) mod selection;
pub(super) mod texture;
