//! One read, from its plan to its result: the same loop for every source, whoever decodes and whatever is made of it.
//!
//! Invariants: no more than so many chunks are on their way at once, however many the plan has; whoever stops listening stops
//! the asking; the first failure ends the read, and what nobody else waits for is dropped with it.

mod begin;
mod decode;
mod direct;
mod execution;
mod open;
mod sink;
mod window;

pub(super) use execution::{Execution, Order};
pub(super) use sink::Sink;
