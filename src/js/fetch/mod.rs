//! Driver of one store: it sends the requests that the sans-IO scheduler selects, and passes the answers to their
//! waiters.
//!
//! The folder uses `stores`. It uses neither arrays nor virtual stores.

pub(super) mod answer;
pub(super) mod driver_values;
pub(super) mod driver_wants;
pub(super) mod fetched;
pub(super) mod store_driver;
