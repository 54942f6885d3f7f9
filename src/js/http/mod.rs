//! HTTP: addresses, the driver of one exchange, and the browser's own keeping of bytes.
//!
//! It uses `convert` and `support` alone; what an answer means is decided in `crate::source::http`.

pub(super) mod address;
pub(super) mod exchange;
pub(super) mod http_store;
pub(super) mod network;
pub(super) mod persisted;
pub(super) mod transfer;
pub(super) mod transfer_events;
