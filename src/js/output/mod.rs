//! The results of reads: typed arrays that chunks are copied to, and parts of a stream.
//!
//! It uses options and decoded chunks; it asks for nothing.

pub(super) mod copy_target;
pub(super) mod output_buffer;
pub(super) mod parts;
pub(super) mod region;
pub(super) mod stream;
