//! The sources of one array's chunks: caches, requests in flight, and decoders.
//!
//! It uses drivers and workers, and depends neither on classes nor on the output.

pub(super) mod array_source;
pub(super) mod array_sources;
pub(super) mod caches;
pub(super) mod in_flight;
pub(super) mod mailbox;
pub(super) mod open_settings;
pub(super) mod probe;
pub(super) mod read_context;
pub(super) mod row_cache;
pub(super) mod row_flight;
pub(super) mod single_flight;
