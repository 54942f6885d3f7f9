//! Policies as data: what is kept, what is decoded elsewhere, and in which order.

pub(crate) mod admission;
pub(crate) mod lru;
pub(crate) mod order;
pub(crate) mod worker_policy;
pub(crate) mod worker_schedule;
