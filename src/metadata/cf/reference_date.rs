//! The reference date of time units: ISO dates, and the other spellings that xarray reads through pandas.
//!
//! Invariant: nothing is dropped. A text with a remainder that is not understood, such as the name of a zone, is no date,
//! although xarray and cftime ignore such remainders.

use super::calendar::Calendar;
use super::cf_time::CfTime;
use crate::parts::{Calls, Loaded, later};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The time that a reference date in lower case names; `None` where it names none in the calendar.
#[later]
pub(super) fn reference_date(_: Loaded<Calls>, text: &str, calendar: Calendar) -> Option<CfTime> {
    let text = text.trim();
    // A longer year stands before a month; five to seven digits alone could be anything.
    if (5..8).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    if let Some((time, _)) = CfTime::span(without_zero_zone(text), calendar) {
        // These calendars have no year 0.
        let has_no_year_0 = matches!(calendar, Calendar::Standard | Calendar::Julian);
        let is_year_0 = has_no_year_0 && text.trim_start_matches('0').starts_with('-');
        return (!is_year_0 || text.starts_with('-')).then_some(time);
    }
    // Only these go through pandas.
    if !matches!(calendar, Calendar::Standard | Calendar::ProlepticGregorian) {
        return None;
    }
    let (date, rest) = compact(text).or_else(|| in_parts(text))?;
    let time = match rest.strip_prefix('t').or_else(|| rest.strip_prefix(' ')).map(str::trim_start) {
        None if rest.is_empty() => String::new(),
        Some(time) if time.starts_with(|first: char| first.is_ascii_digit()) => {
            format!("t{}", with_colons(time))
        }
        _ => return None,
    };
    CfTime::span(without_zero_zone(&format!("{date}{time}")), calendar).map(|(time, _)| time)
}

/// The text without `0:00` after its time of day: a zone without a sign, which must be zero.
fn without_zero_zone(text: &str) -> &str {
    let Some((before, zone)) = text.rsplit_once(' ') else { return text };
    let is_zero = matches!(zone, "0:00" | "00:00" | "0:0");
    if is_zero && before.contains(':') { before.trim_end() } else { text }
}

/// Eight digits, `20000101`: the ISO date and what follows.
fn compact(text: &str) -> Option<(String, &str)> {
    let (digits, rest) = text.split_at_checked(8)?;
    let is_date = digits.bytes().all(|digit| digit.is_ascii_digit());
    is_date.then(|| (format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]), rest))
}

/// A date of numbers and a month's name in any order that has one meaning: the ISO date and what follows.
fn in_parts(text: &str) -> Option<(String, &str)> {
    let mut rest = text;
    let mut parts = Vec::new();
    while parts.len() < 3 {
        let is_digit = rest.starts_with(|first: char| first.is_ascii_digit());
        let end =
            rest.find(|letter: char| !letter.is_ascii_alphanumeric() || letter.is_ascii_digit() != is_digit);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if part.is_empty() {
            return None;
        }
        // The end of an ordinal, "1st".
        let is_ending = matches!(part, "st" | "nd" | "rd" | "th") && !parts.is_empty();
        if !is_ending {
            parts.push(part);
        }
        rest = after;
        if parts.len() == 3 || rest.is_empty() {
            break;
        }
        let next = rest.trim_start_matches([' ', ',']);
        rest = next.strip_prefix(['-', '/', '.']).unwrap_or(next).trim_start();
    }
    let month = |name: &str| {
        let is_called = |month: &&str| {
            name.len() >= 3 && (**month == *name || month[..3] == *name)
                || name == "sept" && month.starts_with(name)
        };
        MONTHS.iter().position(is_called).map(|at| at + 1)
    };
    let number = |part: &str| part.parse::<usize>().ok().filter(|_| part.len() <= 2);
    let is_year = |part: &str| part.len() == 4 && part.bytes().all(|digit| digit.is_ascii_digit());
    let (year, month, day) = match parts.as_slice() {
        [name, year] if is_year(year) => (year, month(name)?, 1),
        [year, month] if is_year(year) => (year, number(month)?, 1),
        [year, name, day] if is_year(year) => (year, month(name).or_else(|| number(name))?, number(day)?),
        [one, two, year] if is_year(year) => match (month(one), month(two), number(one), number(two)) {
            (Some(month), None, None, Some(day)) | (None, Some(month), Some(day), None) => (year, month, day),
            // The day comes first where the first number is no month.
            (None, None, Some(one), Some(two)) => {
                if one > 12 {
                    (year, two, one)
                } else {
                    (year, one, two)
                }
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((format!("{year}-{month:02}-{day:02}"), rest))
}

/// A time of four or six digits with colons: `120000` as `12:00:00`.
fn with_colons(time: &str) -> String {
    let digits = time.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &time[digits..];
    match digits {
        4 => format!("{}:{}{rest}", &time[..2], &time[2..4]),
        6 => format!("{}:{}:{}{rest}", &time[..2], &time[2..4], &time[4..6]),
        _ => time.to_owned(),
    }
}
