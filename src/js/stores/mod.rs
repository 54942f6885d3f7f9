//! Stores: one kind for a host, one for a `Readable`, and a trait for those that stand above.
//!
//! It uses `http`, `convert` and `support`; requests are queued by `fetch`, which it does not know.

pub(super) mod batch_values;
pub(super) mod readable;
pub(super) mod readable_source;
pub(super) mod request_handle;
pub(super) mod store;
pub(super) mod virtual_source;
