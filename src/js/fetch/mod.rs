//! The driver of one store: it sends the requests that the sans-IO scheduler names, and hands the answers out.
//!
//! It uses stores; it knows neither arrays nor virtual stores.

pub(super) mod answer;
pub(super) mod driver_values;
pub(super) mod driver_wants;
pub(super) mod fetched;
pub(super) mod store_driver;
