//! Utilities for asynchronous work: promises, aborts, time, errors, listeners, and the loading of modules.
//!
//! It uses only `convert`.

pub(super) mod abort;
pub(super) mod background;
pub(super) mod error;
pub(super) mod modules;
pub(super) mod parts;
pub(super) mod promise;
pub(super) mod report;
pub(super) mod time_slice;
pub(super) mod timer;
pub(super) mod waiting;
