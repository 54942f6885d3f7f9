//! Decoding elsewhere: jobs, and the messages that carry them between modules and workers.

#[cfg(feature = "codec-module")]
pub(crate) mod codec_module;
pub(crate) mod job;
pub(crate) mod messages;
pub(crate) mod stage_planner;
