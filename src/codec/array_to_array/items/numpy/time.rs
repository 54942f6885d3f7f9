//! Numpy's times: counts of steps, and their conversion to steps of another length.
//!
//! Counts become the step that begins no later, as in numpy. Durations of months and years have their mean length; dates
//! follow the calendar. "Not a time" stays so.
//! Spec: <https://numpy.org/doc/stable/reference/arrays.datetime.html>

use crate::metadata::{Calendar, DataType, Kind};

/// Units, each with its length in attoseconds; months and years have their mean length, `generic` has none.
const UNITS: [(&str, i128); 14] = [
    ("generic", 0),
    (YEAR, 31_556_952 * SECOND),
    (MONTH, 2_629_746 * SECOND),
    ("W", 7 * DAY),
    ("D", DAY),
    ("h", 3_600 * SECOND),
    ("m", 60 * SECOND),
    ("s", SECOND),
    ("ms", SECOND / 1_000),
    ("us", SECOND / 1_000_000),
    ("ns", 1_000_000_000),
    ("ps", 1_000_000),
    ("fs", 1_000),
    ("as", 1),
];

const SECOND: i128 = 1_000_000_000_000_000_000;
const DAY: i128 = 86_400 * SECOND;
const YEAR: &str = "Y";
const MONTH: &str = "M";

/// The most days from 1970 that the calendar counts.
const MAX_DAYS: i64 = 1_000_000_000_000;

/// A datetime64 or timedelta64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumpyTime {
    pub(crate) is_date: bool,
    /// Length of the unit in attoseconds; 0 for `generic`.
    unit: i128,
    /// Units in a step.
    scale: i128,
}

/// Conversion of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepChange {
    /// The count stays.
    None,
    /// The count is multiplied, then divided.
    Ratio(i128, i128),
    /// Months, as many in a step, become days, which become steps of so many attoseconds.
    MonthsToDays(i128, i128),
    /// Steps of so many attoseconds become days, which become months, as many in a step.
    DaysToMonths(i128, i128),
}

impl NumpyTime {
    /// The time that items of this type are.
    pub(crate) fn of(data_type: &DataType) -> Option<Self> {
        let Kind::Time { unit, scale } = data_type.kind() else { return None };
        let (_, length) = UNITS.into_iter().find(|(name, _)| name == unit)?;
        let is_date = data_type.name() == "numpy.datetime64";
        Some(Self { is_date, unit: length, scale: i128::from(*scale) })
    }

    /// The conversion to another type, as numpy's `astype` does it; `None` where numpy refuses it. Dates and durations
    /// become each other without a change.
    pub(crate) fn change(self, to: Self) -> Option<StepChange> {
        if self == to || self.is_date != to.is_date || to.is_generic() {
            return Some(StepChange::None);
        }
        if self.is_generic() {
            return (!self.is_date).then_some(StepChange::None);
        }
        let (from, into) = (self.unit * self.scale, to.unit * to.scale);
        Some(match (self.months(), to.months()) {
            (Some(months), None) if self.is_date => StepChange::MonthsToDays(months, into),
            (None, Some(months)) if self.is_date => StepChange::DaysToMonths(from, months),
            _ => {
                let common = greatest_common_divisor(from, into);
                StepChange::Ratio(from / common, into / common)
            }
        })
    }

    /// Factor of durations before numpy sums them to durations of another type, and divisor of the sums; `None` where numpy
    /// has no step of which both types' are multiples: between months and days, to no unit, and where one unit is 2^56
    /// times the other or more. Ratios beyond 64 bits are `None` too: numpy wraps them around, and some sums with them.
    pub(crate) fn summed_as(self, to: Self) -> Option<(i64, i64)> {
        if self == to || self.is_generic() {
            return Some((1, 1));
        }
        if to.is_generic() || self.months().is_some() != to.months().is_some() {
            return None;
        }
        if self.unit.max(to.unit) / self.unit.min(to.unit) >= 1 << 56 {
            return None;
        }
        let (from, into) = (self.unit * self.scale, to.unit * to.scale);
        let common = greatest_common_divisor(from, into);
        Some((i64::try_from(from / common).ok()?, i64::try_from(into / common).ok()?))
    }

    /// Whether the unit is not known.
    pub(crate) fn is_generic(self) -> bool {
        self.unit == 0
    }

    /// Months in a step, if it is of months or years.
    fn months(self) -> Option<i128> {
        let months = |name| UNITS.iter().any(|(known, unit)| *known == name && *unit == self.unit);
        if months(YEAR) {
            return Some(12 * self.scale);
        }
        months(MONTH).then_some(self.scale)
    }
}

impl StepChange {
    /// Converts a count; `None` where the result is beyond what int64 or the calendar holds.
    pub(crate) fn apply(self, count: i64) -> Option<i64> {
        if count == i64::MIN {
            return Some(count);
        }
        let count128 = i128::from(count);
        let changed = match self {
            Self::None => return Some(count),
            Self::Ratio(by, over) => count128.checked_mul(by)?.div_euclid(over),
            Self::MonthsToDays(months, step) => {
                let months =
                    i64::try_from(count128 * months).ok().filter(|months| months.abs() < MAX_DAYS / 32)?;
                let date = (1970 + months.div_euclid(12), months.rem_euclid(12) + 1, 1);
                let day = Calendar::ProlepticGregorian.day(date)?;
                (i128::from(day) * DAY).div_euclid(step)
            }
            Self::DaysToMonths(step, months) => {
                let day = count128.checked_mul(step)?.div_euclid(DAY);
                let day = i64::try_from(day).ok().filter(|day| day.abs() < MAX_DAYS)?;
                let (year, month, _) = Calendar::ProlepticGregorian.date(day);
                i128::from(12 * (year - 1970) + month - 1).div_euclid(months)
            }
        };
        i64::try_from(changed).ok().filter(|changed| *changed != i64::MIN)
    }
}

fn greatest_common_divisor(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::NumpyTime;
    use crate::metadata::numpy_item;

    /// Counts, each with what it becomes.
    type Counts = &'static [(i64, Option<i64>)];

    #[test]
    fn durations_are_summed_in_the_step_that_numpy_finds() {
        // From numpy 2.5: which pairs np.cumsum(np.array([5], from), out=np.zeros(1, to)) takes, and in which steps.
        let cases = [
            ("m8[s]", "m8[s]", Some((1, 1))),
            ("m8[ms]", "m8[s]", Some((1, 1000))),
            ("m8[s]", "m8[ms]", Some((1000, 1))),
            ("m8[2s]", "m8[3s]", Some((2, 3))),
            ("m8[Y]", "m8[5M]", Some((12, 5))),
            ("m8", "m8[s]", Some((1, 1))),
            ("m8[s]", "m8", None),
            ("m8[D]", "m8[M]", None),
            ("m8[Y]", "m8[W]", None),
            ("m8[fs]", "m8[s]", Some((1, 1_000_000_000_000_000))),
            ("m8[fs]", "m8[m]", Some((1, 60_000_000_000_000_000))),
            ("m8[fs]", "m8[h]", None),
            ("m8[as]", "m8[s]", None),
            ("m8[W]", "m8[as]", None),
            ("m8[ns]", "m8[15250W]", Some((1, 9_223_200_000_000_000_000))),
            // numpy makes 17687 steps of a sum of 2^62, which is less than one.
            ("m8[ns]", "m8[30501W]", None),
            ("m8[1000000000W]", "m8[ns]", None),
        ];
        for (from, to, expected) in cases {
            let [one, other] =
                [from, to].map(|name| NumpyTime::of(&numpy_item(name).expect(name)).expect("a time"));
            assert_eq!(one.summed_as(other), expected, "{from} as {to}");
        }
    }

    #[test]
    fn steps_become_other_steps_as_in_numpy() {
        // From numpy 2.5: np.array(counts, from).astype(to).view("i8").
        let cases: [(&str, &str, Counts); 16] = [
            ("m8[ms]", "m8[s]", &[(-1500, Some(-2)), (1500, Some(1)), (-999, Some(-1)), (-1000, Some(-1))]),
            ("M8[3s]", "M8[2s]", &[(-1, Some(-2)), (1, Some(1)), (3, Some(4))]),
            ("m8[Y]", "m8[M]", &[(-1, Some(-12)), (3, Some(36))]),
            ("m8[Y]", "m8[D]", &[(-1, Some(-366)), (1, Some(365)), (3, Some(1095))]),
            ("M8[Y]", "M8[D]", &[(-1, Some(-365)), (1, Some(365)), (3, Some(1096))]),
            ("M8[M]", "M8[ns]", &[(-1, Some(-2_678_400_000_000_000)), (14, Some(36_633_600_000_000_000))]),
            ("M8[D]", "M8[5M]", &[(-1, Some(-1)), (1, Some(0)), (300, Some(1))]),
            (
                "M8[us]",
                "M8[Y]",
                &[(-1, Some(-1)), (31_535_999_999_999, Some(0)), (31_536_000_000_000, Some(1))],
            ),
            ("M8[D]", "M8[W]", &[(-1, Some(-1)), (300, Some(42))]),
            ("M8[W]", "M8[D]", &[(-1, Some(-7)), (300, Some(2100))]),
            ("m8[s]", "m8[ns]", &[(1 << 62, None), (-(1 << 62), None), (i64::MIN, Some(i64::MIN))]),
            ("m8", "m8[s]", &[(-1, Some(-1))]),
            ("M8[s]", "M8", &[(300, Some(300))]),
            ("m8[s]", "M8[ms]", &[(-3, Some(-3))]),
            ("m8[W]", "m8[as]", &[(1, None)]),
            ("M8[Y]", "M8[M]", &[(1 << 62, None), (i64::MAX, None), (-5, Some(-60))]),
        ];
        for (from, to, counts) in cases {
            let [one, other] =
                [from, to].map(|name| NumpyTime::of(&numpy_item(name).expect(name)).expect("a time"));
            let change = one.change(other).expect("allowed");
            for (count, expected) in counts {
                assert_eq!(change.apply(*count), *expected, "{count} of {from} as {to}");
            }
        }
        let [generic, seconds] =
            ["M8", "M8[s]"].map(|name| NumpyTime::of(&numpy_item(name).expect(name)).expect("a time"));
        assert_eq!(generic.change(seconds), None);
    }
}
