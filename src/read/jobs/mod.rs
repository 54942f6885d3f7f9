//! Decoding elsewhere: jobs, and the messages that carry them between modules and workers.

pub(crate) mod job;
pub(crate) mod messages;
pub(crate) mod stage_planner;
