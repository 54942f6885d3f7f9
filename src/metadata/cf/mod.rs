//! Times by the CF conventions: units, calendars and points in time.

pub(crate) mod calendar;
pub(crate) mod cf_time;
pub(crate) mod time_encoding;
