//! One HTTP exchange: the addresses and options of a host, the driver of a request, and the browser's persistent cache.
//!
//! It uses only `convert` and `support`. `crate::network::http` interprets the responses.

pub(super) mod exchange;
pub(super) mod http_store;
pub(super) mod options;
pub(super) mod persisted;
