//! Points in time: a day of a calendar and the nanoseconds since its start, with conversion from and to text.
//!
//! Invariant: a time that is written as text is read as the same time. Text may omit the smaller parts of a date, and
//! then names a span: `2024-02` is February.

use super::calendar::Calendar;

/// A point in time: a day, and the nanoseconds since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CfTime {
    day: i64,
    nanos: i64,
}

/// Nanoseconds in a second.
pub(crate) const SECOND: i64 = 1_000_000_000;

/// Nanoseconds in a day.
pub(crate) const DAY: i64 = 86_400 * SECOND;

/// The most days before or after 1970-01-01: 273 million years.
const MOST_DAYS: i128 = 100_000_000_000;

impl CfTime {
    /// The time this many nanoseconds after 1970-01-01; `None` beyond 273 million years.
    #[must_use]
    pub fn after(nanos: i128) -> Option<Self> {
        let day = nanos.div_euclid(DAY.into());
        #[expect(clippy::cast_possible_truncation, reason = "checked, and less than a day")]
        let time = Self { day: day as i64, nanos: (nanos - day * i128::from(DAY)) as i64 };
        (day.abs() <= MOST_DAYS).then_some(time)
    }

    /// The start of a date; `None` if the calendar has no such date.
    #[must_use]
    pub fn of(calendar: Calendar, year: i64, month: i64, day: i64) -> Option<Self> {
        (year.abs() <= 200_000_000)
            .then(|| calendar.day((year, month, day)))?
            .map(|day| Self { day, nanos: 0 })
    }

    /// Nanoseconds since 1970-01-01.
    #[must_use]
    pub fn nanos(self) -> i128 {
        i128::from(self.day) * i128::from(DAY) + i128::from(self.nanos)
    }

    /// Whole milliseconds since 1970-01-01 of the time's own calendar, and the remaining nanoseconds: together they are
    /// exact.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of 273 million years are exact")]
    pub fn millis_and_nanos(self) -> [f64; 2] {
        let millis = self.day * 86_400_000 + self.nanos / 1_000_000;
        [millis as f64, (self.nanos % 1_000_000) as f64]
    }

    /// Milliseconds since 1970-01-01 of the time's own calendar.
    #[must_use]
    pub fn millis(self) -> f64 {
        let [millis, nanos] = self.millis_and_nanos();
        millis + nanos / 1e6
    }

    /// Milliseconds since 1970-01-01 of the Gregorian calendar: of the same instant for historical calendars, else of
    /// the date with the same name; NaN if the Gregorian calendar has no such date.
    #[must_use]
    pub fn epoch_millis(self, calendar: Calendar) -> f64 {
        if calendar.is_real() {
            return self.millis();
        }
        let day = Calendar::ProlepticGregorian.day(calendar.date(self.day));
        day.map_or(f64::NAN, |day| Self { day, ..self }.millis())
    }

    /// The time as text, `2024-02-30T12:00:00`, with a fraction of three, six or nine digits if it is not 0.
    #[must_use]
    pub fn label(self, calendar: Calendar) -> String {
        let (year, month, day) = calendar.date(self.day);
        let (seconds, fraction) = (self.nanos / SECOND, self.nanos % SECOND);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let sign = if year < 0 { "-" } else { "" };
        let year = year.abs();
        let mut label = format!("{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        if fraction > 0 {
            let digits = format!(".{fraction:09}");
            let places =
                [4, 7].into_iter().find(|&places| digits[places..].bytes().all(|digit| digit == b'0'));
            label.push_str(&digits[..places.unwrap_or(10)]);
        }
        label
    }

    /// The span that a text names: its first instant, and the first instant after it; `None` if the text is not a date
    /// of the calendar. A fraction of a second names a span of a millisecond, microsecond or nanosecond. A time zone,
    /// in hours and minutes or as `Z`, is applied.
    #[must_use]
    pub fn span(text: &str, calendar: Calendar) -> Option<(Self, Self)> {
        let mut text = Letters(text.trim().as_bytes());
        let sign = if text.eat(b"-") { -1 } else { 1 };
        text.eat(b"+");
        let (year, _) = text.number(6)?;
        let year = sign * year;
        let parts = [text.next_part(b"-", 2)?, text.next_part(b"-", 2)?];
        let (month, day) = (parts[0].unwrap_or(1), parts[1].unwrap_or(1));
        let begin = Self::of(calendar, year, month, day)?;
        let end = match parts {
            [Some(month), None] if month < 12 => Self::of(calendar, year, month + 1, 1)?.day,
            [_, None] => Self::of(calendar, year + 1, 1, 1)?.day,
            _ => begin.day + 1,
        };
        let mut step = i128::from(end - begin.day) * i128::from(DAY);
        let mut nanos = begin.nanos();
        if parts[1].is_some() && text.time_follows() {
            for (before, most, unit) in [(b"".as_slice(), 24, 3600), (b":", 60, 60), (b":", 60, 1)] {
                let Some(part) = text.next_part(before, 2)? else { break };
                if part >= most {
                    return None;
                }
                step = i128::from(unit * SECOND);
                nanos += i128::from(part) * step;
            }
            if step == i128::from(SECOND) && text.eat(b".") {
                let (fraction, digits) = text.number(9)?;
                nanos += i128::from(fraction) * 10_i128.pow(9 - digits);
                // As in pandas, the digits give the unit: milliseconds, microseconds or nanoseconds.
                step = 1_000_i128.pow(3 - digits.div_ceil(3));
                // Digits below a nanosecond are dropped.
                while text.number(9).is_some() {}
            }
        }
        nanos -= i128::from(text.zone()?);
        Some((Self::after(nanos)?, Self::after(nanos + step)?))
    }
}

/// Rest of the text being parsed.
struct Letters<'a>(&'a [u8]);

impl Letters<'_> {
    /// Whether it goes on like this, and then without it.
    fn eat(&mut self, letters: &[u8]) -> bool {
        let rest =
            self.0.get(letters.len()..).filter(|_| self.0[..letters.len()].eq_ignore_ascii_case(letters));
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Reads a number of at most `most` digits, and the number of its digits.
    fn number(&mut self, most: usize) -> Option<(i64, u32)> {
        let digits = self.0.iter().take(most).take_while(|letter| letter.is_ascii_digit()).count();
        let number = self.0[..digits].iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0'));
        self.0 = &self.0[digits..];
        (digits > 0).then_some((number, u32::try_from(digits).unwrap_or(0)))
    }

    /// Reads the number after `before`: `Some(None)` if `before` is missing, `None` if the number is.
    #[expect(clippy::option_option, reason = "a missing part, or an invalid date")]
    fn next_part(&mut self, before: &[u8], most: usize) -> Option<Option<i64>> {
        if self.eat(before) { self.number(most).map(|(number, _)| Some(number)) } else { Some(None) }
    }

    /// Whether a time of day follows the date; skips the separator between them.
    fn time_follows(&mut self) -> bool {
        let before = self.0.len();
        if !self.eat(b"t") {
            self.0 = self.0.trim_ascii_start();
        }
        self.0.len() < before && self.0.first().is_some_and(u8::is_ascii_digit)
    }

    /// Reads a time zone up to the end of the text, as nanoseconds ahead of UTC.
    fn zone(&mut self) -> Option<i64> {
        self.0 = self.0.trim_ascii_start();
        if self.eat(b"z") || self.eat(b"utc") || self.eat(b"gmt") || self.0.is_empty() {
            return self.0.trim_ascii().is_empty().then_some(0);
        }
        let sign = if self.eat(b"-") { -1 } else { self.eat(b"+").then_some(1)? };
        let (hours, _) = self.number(2)?;
        let has_colon = self.eat(b":");
        let minutes = match self.number(2) {
            None if has_colon => return None,
            minutes => minutes.map_or(0, |(minutes, _)| minutes),
        };
        self.0.is_empty().then_some(sign * (60 * hours + minutes) * 60 * SECOND)
    }
}
