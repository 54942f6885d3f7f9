//! The options of `open` and of reads: taken from the caller's objects once, and checked.
//!
//! It knows typed arrays, worker policies and HTTP options; it opens and reads nothing.

pub(super) mod get_options;
pub(super) mod numbers;
pub(super) mod open_options;
pub(super) mod output_options;
pub(super) mod selection;
pub(super) mod texture;
