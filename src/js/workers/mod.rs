//! Decoding elsewhere: the page's workers, the module of extra codecs, and chunks as they come back from there.
//!
//! It uses `convert` and `support` alone.

pub(super) mod array_workers;
pub(super) mod decoded_chunk;
pub(super) mod decoder;
pub(super) mod extra_codecs;
pub(super) mod job_batch;
pub(super) mod pool;
pub(super) mod pool_returns;
pub(super) mod worker;
