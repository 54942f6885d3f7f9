//! Stores: an HTTP store, a store over a zarrita `Readable`, and a trait for virtual stores.
//!
//! The folder uses `http`, `convert` and `support`. It does not use `fetch`, which queues requests to stores.

pub(super) mod batch_values;
pub(super) mod readable;
pub(super) mod readable_source;
pub(super) mod request_handle;
pub(super) mod store;
pub(super) mod virtual_source;
