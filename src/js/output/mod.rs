//! The results of reads: typed arrays to which chunks are copied, and parts of a stream.
//!
//! It uses options and decoded chunks. It requests nothing.

pub(super) mod parts;
pub(super) mod reduced;
pub(super) mod region;
pub(super) mod sink;
pub(super) mod stream;
