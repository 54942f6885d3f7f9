//! Which moments an array's items are: by the CF conventions' `units` and `calendar`, or by the unit of `numpy.datetime64`.
//!
//! Invariant: a whole number of units is counted exactly; a fraction is rounded to microseconds, as cftime rounds it, or
//! to nanoseconds where the unit is shorter.
//! Spec: <https://cfconventions.org/cf-conventions/cf-conventions.html#time-coordinate>

use super::calendar::Calendar;
use super::cf_time::{CfTime, DAY, SECOND};
use crate::error::{Error, Result};
use crate::metadata::array::ArrayMetadata;
use crate::metadata::json::value::Value;
use crate::metadata::types::data_type::Kind;

/// How items are times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeEncoding {
    /// The calendar that they are of.
    pub calendar: Calendar,
    step: TimeUnit,
    /// Nanoseconds from 1970-01-01 to what is 0.
    origin: i128,
}

/// Attributes that the bounds of times may leave out: they have those of the variable whose `bounds` names them.
#[derive(Debug, Clone, Default)]
pub struct BoundsOf {
    /// Its `units`.
    pub units: Option<String>,
    /// Its `calendar`.
    pub calendar: Option<String>,
}

/// Unit of time that is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TimeUnit {
    /// Number of nanoseconds, over this number of parts.
    Nanos(i128, i64),
    /// Months of the calendar.
    Months(i64),
}

/// The units, by the names that cftime and xarray know, each with or without an `s` after it.
const UNITS: [(&str, i64); 10] = [
    ("nanosecond nanosec nsec ns", 1),
    ("microsecond microsec usec us", 1_000),
    ("millisecond millisec msec ms", 1_000_000),
    ("second sec s", SECOND),
    ("minute min", 60 * SECOND),
    ("hour hr h", 3600 * SECOND),
    ("day d", DAY),
    ("week", 7 * DAY),
    ("month", 30 * DAY),
    ("common_year", 365 * DAY),
];

impl TimeEncoding {
    /// The time encoding in an array's metadata; what they leave out comes from the variable whose bounds the array has.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where they say of no time, [`Error::Unsupported`] of units that have no one length.
    pub fn of(metadata: &ArrayMetadata, bounds_of: &BoundsOf) -> Result<Self> {
        if let Kind::Time { unit, scale } = metadata.data_type.kind() {
            return Self::of_numpy(metadata.data_type.name(), unit, *scale);
        }
        let units = attribute(metadata, "units");
        let expected = || {
            let found = units.map_or("there are none".to_owned(), |units| format!("not {units}"));
            invalid(
                metadata,
                "units",
                &format!("expected units of a time, \"days since 1850-01-01\" or the like, {found}"),
            )
        };
        let inherited = bounds_of.units.as_deref().filter(|_| units.is_none());
        let text = inherited.or_else(|| units?.as_str()).ok_or_else(expected)?.to_ascii_lowercase();
        let (unit, since) = text.trim_start().split_once(' ').ok_or_else(expected)?;
        let since = since.trim_start().strip_prefix("since ").ok_or_else(expected)?;
        let own = attribute(metadata, "calendar").map(|name| name.as_str().unwrap_or_default());
        let calendar = match own.or(bounds_of.calendar.as_deref()) {
            None => Calendar::Standard,
            Some(name) => {
                let name = name.to_ascii_lowercase();
                let known = Calendar::NAMES.iter().find(|(known, _)| *known == name);
                known.map(|(_, calendar)| *calendar).ok_or_else(|| {
                    let names = Calendar::NAMES.map(|(name, _)| name).join(", ");
                    invalid(metadata, "calendar", &format!("expected one of {names}"))
                })?
            }
        };
        let unit = unit.trim();
        let is_called = |name: &str| unit == name || unit.strip_suffix('s') == Some(name);
        let step = UNITS.iter().find(|(names, _)| names.split(' ').any(is_called)).map(|(_, step)| *step);
        let has_length = match unit.trim_end_matches('s') {
            "month" => calendar == Calendar::Days360,
            "common_year" => calendar == Calendar::NoLeap,
            "year" => false,
            _ => true,
        };
        if !has_length {
            return Err(Error::Unsupported {
                feature: format!("times in {unit} of the calendar {}", calendar.name()),
                reason: "they have no one length there; read the numbers with get".to_owned(),
            });
        }
        let (origin, _) = CfTime::span(since, calendar).ok_or_else(|| {
            let reason = format!("{:?} is no date of the calendar {}", since.trim(), calendar.name());
            invalid(metadata, "units", &reason)
        })?;
        let step = TimeUnit::Nanos(step.ok_or_else(expected)?.into(), 1);
        Ok(Self { calendar, step, origin: origin.nanos() })
    }

    fn of_numpy(name: &str, unit: &str, scale: u64) -> Result<Self> {
        let unsupported = |reason: &str| {
            Err(Error::Unsupported { feature: format!("times of {name}"), reason: reason.to_owned() })
        };
        if name.ends_with("timedelta64") {
            return unsupported("these are spans of time, and not dates; read them with get");
        }
        let scale = i64::try_from(scale).unwrap_or(i64::MAX);
        let nanos = |unit: i64| TimeUnit::Nanos(i128::from(unit) * i128::from(scale), 1);
        let parts = |parts: i64| TimeUnit::Nanos(scale.into(), parts);
        let step = match unit {
            "Y" => TimeUnit::Months(12 * scale),
            "M" => TimeUnit::Months(scale),
            "ps" => parts(1_000),
            "fs" => parts(1_000_000),
            "as" => parts(SECOND),
            "W" => nanos(7 * DAY),
            "D" => nanos(DAY),
            "h" => nanos(3600 * SECOND),
            "m" => nanos(60 * SECOND),
            "s" => nanos(SECOND),
            "ms" => nanos(1_000_000),
            "us" => nanos(1_000),
            "ns" => nanos(1),
            _ => return unsupported("their unit is not said; read them with get"),
        };
        Ok(Self { calendar: Calendar::ProlepticGregorian, step, origin: 0 })
    }

    /// The moment of so many units; nothing beyond 273 million years.
    #[must_use]
    pub fn of_integer(&self, units: i64) -> Option<CfTime> {
        match self.step {
            TimeUnit::Nanos(step, parts) => {
                let nanos = step.checked_mul(units.into())?.div_euclid(parts.into());
                CfTime::after(nanos.checked_add(self.origin)?)
            }
            TimeUnit::Months(step) => {
                let months = units.checked_mul(step)?;
                let (year, month) = (1970 + months.div_euclid(12), 1 + months.rem_euclid(12));
                CfTime::of(self.calendar, year, month, 1)
            }
        }
    }

    /// The moment of a number of units that may be a fraction.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "in range, or no moment either way"
    )]
    pub fn of_float(&self, units: f64) -> Option<CfTime> {
        let TimeUnit::Nanos(step, 1) = self.step else { return self.of_integer(units as i64) };
        let whole = units.floor();
        let least = step.min(1_000);
        let rest = ((units - whole) * step as f64 / least as f64).round_ties_even() as i128 * least;
        let nanos = (whole as i128).checked_mul(step)?;
        CfTime::after(nanos.checked_add(rest + self.origin)?)
    }
}

fn attribute<'a>(metadata: &'a ArrayMetadata, name: &str) -> Option<&'a Value> {
    metadata.attributes.get(name).filter(|value| !value.is_null())
}

fn invalid(metadata: &ArrayMetadata, name: &str, reason: &str) -> Error {
    Error::metadata(format!("{}/attributes/{name}", metadata.pointer), reason)
}
