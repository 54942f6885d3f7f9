//! One read, from its plan to its result: the same loop for every source, whoever decodes and whatever is made of it.
//!
//! Invariants: no more than so many chunks are on their way at once, however many the plan has; whoever stops listening stops
//! the asking; the first failure ends the read, and what nobody else waits for is dropped with it.

mod begin;
mod decode;
mod direct;
mod direct_batch;
mod execution;
mod open;
pub(super) mod progress;
mod row;
mod sink;
mod window;

pub(crate) use execution::Execution;
pub(crate) use sink::Sink;
