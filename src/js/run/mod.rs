//! One read, from its plan to its result: one loop for every source, decoder and kind of result.
//!
//! Invariants: the number of chunks in flight has a limit, however many the plan has; dropping a read stops its
//! requests; the first failure ends the read, and drops the requests that no other read waits for.

mod execution;
mod readables;
mod shards;
mod window;

pub(crate) use execution::{Execution, Progress};
