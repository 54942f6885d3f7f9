//! One store: what it answers for a key, and the driver that sends the requests that a scheduler selects to it.
//!
//! A store is an HTTP host, a zarrita `Readable`, or a virtual store, which the room knows by a trait only. The room
//! uses `http`, `convert` and `support`; it knows neither arrays nor chunks.

pub(super) mod probe;
pub(super) mod readable;
pub(super) mod request;
pub(super) mod store;
pub(super) mod store_driver;
pub(super) mod stored_bytes;
