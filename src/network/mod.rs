//! Requests for bytes, without input and output: which are queued, joined and in flight, and what HTTP's answers mean.
//!
//! Invariant: nothing here waits, sends or reads a clock; a driver (`src/js/stores`, `src/js/http`) does that.

pub mod http;
mod queue;
mod request;
mod request_scheduler;

pub use queue::{Batch, Joining, Queue, Turn, Urgency};
pub use request::{ByteRange, Request, join, object_address, scheme, web_address};
pub use request_scheduler::{Dispatch, RangeSupport, RequestScheduler};
