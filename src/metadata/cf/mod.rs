//! Times by the CF conventions: units, calendars and moments.

pub(crate) mod calendar;
pub(crate) mod cf_time;
pub(crate) mod time_encoding;
