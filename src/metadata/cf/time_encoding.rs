//! Decoding of items as times: by the CF attributes `units` and `calendar`, or by the unit of `numpy.datetime64`.
//!
//! Invariant: a whole number of units is converted exactly; a fraction is rounded to microseconds, as cftime does, or
//! to nanoseconds if the unit is shorter than a microsecond.
//! Spec: <https://cfconventions.org/cf-conventions/cf-conventions.html#time-coordinate>

use super::calendar::Calendar;
use super::cf_time::{CfTime, DAY, SECOND};
use super::reference_date::reference_date;
use crate::error::{Error, Result};
use crate::metadata::array::ArrayMetadata;
use crate::metadata::json::value::Value;
use crate::metadata::types::data_type::Kind;
use crate::parts::Loaded;

/// Encoding of times as numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeEncoding {
    /// Calendar of the times.
    pub calendar: Calendar,
    step: TimeUnit,
    /// Time of the number 0, in nanoseconds since 1970-01-01.
    origin: i128,
}

/// Attributes that a bounds variable may omit; it inherits them from the variable whose attribute `bounds` names it.
#[derive(Debug, Clone, Default)]
pub struct BoundsOf {
    /// The attribute `units` of that variable.
    pub units: Option<String>,
    /// The attribute `calendar` of that variable.
    pub calendar: Option<String>,
}

/// Unit of time that is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TimeUnit {
    /// This many nanoseconds, divided by this number.
    Nanos(i128, i64),
    /// Months of the calendar.
    Months(i64),
}

/// Units by their names in cftime and xarray, each with or without a final `s`, and their nanoseconds.
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
    /// Reads the time encoding from an array's metadata; attributes that it omits come from `bounds_of`.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] if the attributes declare no times, [`Error::Unsupported`] for units without a fixed
    /// length.
    pub fn of(metadata: &ArrayMetadata, bounds_of: &BoundsOf) -> Result<Self> {
        if let Kind::Time { unit, scale } = metadata.data_type.kind() {
            return Self::of_numpy(metadata.data_type.name(), unit, *scale);
        }
        let units = attribute(metadata, "units");
        let expected = || {
            let fault = units.map_or("is missing".to_owned(), |units| format!("is {units}"));
            let expected =
                "expected time units such as \"days since 1970-01-01\"; read raw numbers with get()";
            invalid(metadata, "units", &format!("attribute \"units\" {fault}; {expected}"))
        };
        let inherited = bounds_of.units.as_deref().filter(|_| units.is_none());
        let text = inherited.or_else(|| units?.as_str()).ok_or_else(expected)?.to_ascii_lowercase();
        let is_space = |letter: char| letter.is_ascii_whitespace();
        let (unit, since) = text.trim_start().split_once(is_space).ok_or_else(expected)?;
        let since = since.trim_start().strip_prefix("since").ok_or_else(expected)?;
        let since = since.strip_prefix(is_space).ok_or_else(expected)?;
        let own = attribute(metadata, "calendar").map(|name| name.as_str().unwrap_or_default());
        let calendar = match own.or(bounds_of.calendar.as_deref()) {
            None => Calendar::Standard,
            Some(name) => {
                let name = name.to_ascii_lowercase();
                let known = Calendar::NAMES.iter().find(|(known, _)| *known == name);
                known.map(|(_, calendar)| *calendar).ok_or_else(|| {
                    let names = Calendar::NAMES.map(|(name, _)| name).join(", ");
                    invalid(
                        metadata,
                        "calendar",
                        &format!("attribute \"calendar\" is {name:?}; expected one of {names}"),
                    )
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
                feature: format!("the time unit {unit:?} in the calendar {:?}", calendar.name()),
                reason: "the unit has no fixed length there; read raw numbers with get()".to_owned(),
            });
        }
        let origin = reference_date(Loaded::get()?, since, calendar).ok_or_else(|| {
            let expected =
                "expected a date such as \"2000-01-01 12:00:00\", with a zone as \"Z\" or \"+01:30\"";
            let reason =
                format!("{:?} is not a date of the calendar {:?}; {expected}", since.trim(), calendar.name());
            invalid(metadata, "units", &reason)
        })?;
        let step = TimeUnit::Nanos(step.ok_or_else(expected)?.into(), 1);
        Ok(Self { calendar, step, origin: origin.nanos() })
    }

    fn of_numpy(name: &str, unit: &str, scale: u64) -> Result<Self> {
        let unsupported = |reason: &str| {
            Err(Error::Unsupported {
                feature: format!("decoding {name} as times"),
                reason: reason.to_owned(),
            })
        };
        if name.ends_with("timedelta64") {
            return unsupported("its items are durations, not dates; read them with get()");
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
            _ => {
                return unsupported(
                    "its unit is \"generic\", which has no length; read raw numbers with get()",
                );
            }
        };
        Ok(Self { calendar: Calendar::ProlepticGregorian, step, origin: 0 })
    }

    /// The time of a whole number of units; `None` beyond 273 million years.
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

    /// The time of a number of units with a fraction; `None` beyond 273 million years.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "in range, or no time either way"
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
