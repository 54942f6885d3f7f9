//! Decoding elsewhere: jobs, and the messages that carry them between modules and workers.

pub(crate) mod chain_planner;
#[cfg(feature = "codec-module")]
pub(crate) mod codec_module;
pub(crate) mod job;
pub(crate) mod messages;
