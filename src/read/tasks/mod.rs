//! Tasks of a read: each stands for a chunk, a piece of one or a row of several, and says how to decode it.

mod decode;
mod inner;
mod limit;
mod piece;
pub(crate) mod row;
pub(crate) mod stored;
pub(crate) mod task;
