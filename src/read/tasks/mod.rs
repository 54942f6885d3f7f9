//! Tasks: the chunks of a read, or the pieces and rows of them, and how each is decoded.

mod decode;
mod inner;
mod limit;
mod piece;
pub(crate) mod row;
pub(crate) mod stored;
pub(crate) mod task;
