//! Calendars of the CF conventions: conversion between days and dates.
//!
//! Invariant: a calendar's days are counted without a gap, and each has one date. Days of historical calendars are real
//! days, counted from 1970-01-01 of the Gregorian calendar; days of model calendars are counted from the calendar's own
//! 1970-01-01. Years begin in March here, so that a leap day is the last day of its year, and there is a year 0.
//! Spec: <https://cfconventions.org/cf-conventions/cf-conventions.html#calendar>

/// A calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calendar {
    /// Julian, and Gregorian from 1582-10-15 on, the day after 1582-10-04.
    Standard,
    /// Gregorian throughout.
    ProlepticGregorian,
    /// Every fourth year is a leap year.
    Julian,
    /// No year is a leap year.
    NoLeap,
    /// Every year is a leap year.
    AllLeap,
    /// Each month has 30 days.
    Days360,
}

/// A date: year, month from 1, and day from 1.
pub type Date = (i64, i64, i64);

/// The first day of the Gregorian calendar.
const FIRST_GREGORIAN: i64 = -141_427;

impl Calendar {
    /// Names of the calendars in attributes.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("standard", Self::Standard),
        ("gregorian", Self::Standard),
        ("proleptic_gregorian", Self::ProlepticGregorian),
        ("julian", Self::Julian),
        ("noleap", Self::NoLeap),
        ("365_day", Self::NoLeap),
        ("all_leap", Self::AllLeap),
        ("366_day", Self::AllLeap),
        ("360_day", Self::Days360),
    ];

    /// The calendar's first name in [`Calendar::NAMES`].
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, calendar)| *calendar == self).map_or("", |(name, _)| name)
    }

    /// Whether the calendar is a historical one, whose days are real days.
    #[must_use]
    pub fn is_real(self) -> bool {
        matches!(self, Self::Standard | Self::ProlepticGregorian | Self::Julian)
    }

    /// The day of a date; `None` if the calendar has no such date.
    #[must_use]
    pub fn day(self, (year, month, day): Date) -> Option<i64> {
        if !(1..=12).contains(&month) {
            return None;
        }
        let (march_year, months) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
        let number = |rule: Self| rule.year_start(march_year) + rule.month_start(months) + day - 1;
        let number = match self {
            Self::Standard => match number(Self::ProlepticGregorian) {
                early if early < FIRST_GREGORIAN => number(Self::Julian),
                late => late,
            },
            rule => number(rule),
        };
        (self.date(number) == (year, month, day)).then_some(number)
    }

    /// The date of a day, up to 10^12 days before or after 1970.
    #[must_use]
    pub fn date(self, day: i64) -> Date {
        let rule = match self {
            Self::Standard if day < FIRST_GREGORIAN => Self::Julian,
            Self::Standard => Self::ProlepticGregorian,
            rule => rule,
        };
        // An estimate of the year, which the loops correct.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "10^12 days are exact"
        )]
        let mut year = 1970 + (day as f64 / rule.mean_year()).floor() as i64;
        while rule.year_start(year) > day {
            year -= 1;
        }
        while rule.year_start(year + 1) <= day {
            year += 1;
        }
        let rest = day - rule.year_start(year);
        let months = match rule {
            Self::Days360 => rest / 30,
            _ => (5 * rest + 2) / 153,
        };
        let day = rest - rule.month_start(months) + 1;
        if months < 10 { (year, months + 3, day) } else { (year + 1, months - 9, day) }
    }

    /// The day of the first of March.
    fn year_start(self, year: i64) -> i64 {
        match self {
            Self::Standard | Self::ProlepticGregorian => {
                365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) - 719_468
            }
            Self::Julian => 365 * year + year.div_euclid(4) - 719_470,
            Self::NoLeap => 365 * year - 718_991,
            Self::AllLeap => 366 * year - 720_960,
            Self::Days360 => 360 * year - 709_140,
        }
    }

    /// Days from the first of March to the first of the month `months` later.
    fn month_start(self, months: i64) -> i64 {
        match self {
            Self::Days360 => 30 * months,
            _ => (153 * months + 2) / 5,
        }
    }

    fn mean_year(self) -> f64 {
        match self {
            Self::Standard | Self::ProlepticGregorian => 365.2425,
            Self::Julian => 365.25,
            Self::NoLeap => 365.0,
            Self::AllLeap => 366.0,
            Self::Days360 => 360.0,
        }
    }
}
