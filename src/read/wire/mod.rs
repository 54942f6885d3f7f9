//! Messages between modules and workers: jobs, batches of jobs, and answers.

pub(crate) mod answers;
pub(crate) mod batch_decoder;
pub(crate) mod chain_planner;
#[cfg(feature = "codec-module")]
pub(crate) mod codec_module;
pub(crate) mod job;
pub(crate) mod job_batch;
pub(crate) mod support;
