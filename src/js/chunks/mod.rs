//! One array's chunks: where they come from, those that are cached, and those in flight.
//!
//! It uses stores and workers, and depends neither on classes nor on the output.

pub(super) mod caches;
pub(super) mod in_flight;
pub(super) mod open_settings;
pub(super) mod sources;
