//! Messages between modules and workers: jobs, batches of jobs, and answers.

pub(crate) mod answers;
pub(crate) mod batch_decoder;
pub(crate) mod job;
pub(crate) mod job_batch;
pub(crate) mod support;
