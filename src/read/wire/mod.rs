//! Messages between modules and workers: jobs, batches of them, and the answers.

pub(crate) mod answers;
pub(crate) mod desk;
pub(crate) mod elsewhere;
pub(crate) mod job;
pub(crate) mod parcel;
