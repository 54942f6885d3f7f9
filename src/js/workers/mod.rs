//! Decoding in the page's workers and by the package's other modules, and the chunks that they return.
//!
//! It uses only `convert` and `support`.

pub(super) mod array_workers;
pub(super) mod chain_decoder;
pub(super) mod decoded_chunk;
pub(super) mod decoder;
pub(super) mod foreign_codecs;
pub(super) mod job_batch;
pub(super) mod pool;
pub(super) mod pool_returns;
pub(super) mod pools;
pub(super) mod worker;
