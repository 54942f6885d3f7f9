//! Times by the CF conventions: units, calendars and points in time.

pub(crate) mod calendar;
pub(crate) mod cf_time;
mod reference_date;
pub(crate) mod time_encoding;
