//! HTTP: addresses, the driver of one request, and the browser's persistent cache.
//!
//! It uses only `convert` and `support`. `crate::network::http` interprets the responses.

pub(super) mod address;
pub(super) mod exchange;
pub(super) mod http_store;
pub(super) mod network;
pub(super) mod persisted;
pub(super) mod transfer;
pub(super) mod transfer_events;
