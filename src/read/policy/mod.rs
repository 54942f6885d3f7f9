//! Policies as data: cache admission, decoding in workers, and the order of requests.

pub(crate) mod admission;
pub(crate) mod lru;
pub(crate) mod order;
pub(crate) mod worker_policy;
pub(crate) mod worker_schedule;
