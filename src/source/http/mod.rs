//! HTTP without input and output: the decisions about requests and answers, each one plain data with native tests.
//!
//! Invariant: nothing here waits, sends or reads a clock. Facts of answers come in; decisions go out.

mod capabilities;
mod retry;
mod versions;

pub use capabilities::HostCapabilities;
pub use retry::{RetryAfter, requested_delay};
pub use versions::{MAX_VERSIONS, VersionTable};
