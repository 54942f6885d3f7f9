//! Utilities for asynchronous work: promises, aborts, time, errors, listeners, and the loading of modules.
//!
//! It uses only `convert`.

pub(super) mod error;
pub(super) mod loading;
pub(super) mod report;
pub(super) mod time;
pub(super) mod work;
