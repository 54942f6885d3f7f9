//! Policies as data: cache admission, decoding in workers, shards opened at once, the order of
//! requests, and turns of the event loop.

pub(crate) mod admission;
pub(crate) mod lru;
pub(crate) mod opening_shards;
pub(crate) mod order;
pub(crate) mod turn_budget;
pub(crate) mod worker_policy;
pub(crate) mod worker_schedule;
