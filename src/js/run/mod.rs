//! One read, from its plan to its result: one loop for every source, decoder and kind of result.
//!
//! Invariants: the number of chunks in flight has a limit, however many the plan has; dropping a read stops its
//! requests; the first failure ends the read, and drops the requests that no other read waits for.

mod begin;
mod chain;
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
