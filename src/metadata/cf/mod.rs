//! Times by the CF conventions: units, calendars and moments.

pub(crate) mod calendar;
pub(crate) mod moment;
pub(crate) mod times;
