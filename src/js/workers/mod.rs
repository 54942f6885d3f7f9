//! Decoding in the page's workers and by the package's other modules, and the chunks that they return.
//!
//! It uses only `convert` and `support`.

pub(super) mod array_workers;
pub(super) mod custom_codecs;
pub(super) mod decoded_chunk;
pub(super) mod parcels;
pub(super) mod pool;
pub(super) mod stage_decoder;
