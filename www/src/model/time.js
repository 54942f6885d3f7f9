// Reads times as dates: CF coordinates ("days since 2024-01-01") of every CF calendar, and numpy's datetime64.

const DAY = 864e5;
const UNIT_MS = { week: 7 * DAY, day: DAY, d: DAY, hour: 36e5, hr: 36e5, h: 36e5, minute: 6e4, min: 6e4, second: 1e3, sec: 1e3, s: 1e3, millisecond: 1, ms: 1, microsecond: 1e-3, us: 1e-3, nanosecond: 1e-6, ns: 1e-6 };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const NUMPY_MS = { W: 7 * DAY, D: DAY, h: 36e5, m: 6e4, s: 1e3, ms: 1, us: 1e-3, ns: 1e-6, ps: 1e-9 };
const { floor } = Math;

/** Days of a calendar whose leap years come every four years, but for Gregorian centuries, as Julian day numbers. */
const civil = (gregorian) => ({
  toDay(y, m, d) {
    const early = m < 3 ? 1 : 0;
    const year = y + 4800 - early;
    const leaps = gregorian ? floor(year / 4) - floor(year / 100) + floor(year / 400) - 32045 : floor(year / 4) - 32083;
    return d + floor((153 * (m + 12 * early - 3) + 2) / 5) + 365 * year + leaps;
  },
  fromDay(n) {
    const century = gregorian ? floor((4 * (n + 32044) + 3) / 146097) : 0;
    const rest = gregorian ? n + 32044 - floor((146097 * century) / 4) : n + 32082;
    const year = floor((4 * rest + 3) / 1461);
    const day = rest - floor((1461 * year) / 4);
    const month = floor((5 * day + 2) / 153);
    return [100 * century + year - 4800 + floor(month / 10), month + 3 - 12 * floor(month / 10), day - floor((153 * month + 2) / 5) + 1];
  },
});

/** Days of a calendar whose years are all alike. */
const alike = (lengths) => {
  const before = lengths.map((_, i) => lengths.slice(0, i).reduce((a, b) => a + b, 0));
  const year = before[11] + lengths[11];
  return {
    toDay: (y, m, d) => y * year + before[m - 1] + d - 1,
    fromDay(n) {
      const day = n - floor(n / year) * year;
      const month = before.findLastIndex((start) => start <= day);
      return [floor(n / year), month + 1, day - before[month] + 1];
    },
  };
};

const GREGORIAN = civil(true);
const JULIAN = civil(false);
const FIRST_GREGORIAN = 2299161; // 15 October 1582, the day after 4 October
const STANDARD = {
  toDay: (...date) => (GREGORIAN.toDay(...date) < FIRST_GREGORIAN ? JULIAN : GREGORIAN).toDay(...date),
  fromDay: (n) => (n < FIRST_GREGORIAN ? JULIAN : GREGORIAN).fromDay(n),
};
const NO_LEAP = alike([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
const ALL_LEAP = alike([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
const CALENDARS = {
  standard: STANDARD, gregorian: STANDARD, proleptic_gregorian: GREGORIAN, julian: JULIAN, noleap: NO_LEAP, "365_day": NO_LEAP,
  all_leap: ALL_LEAP, "366_day": ALL_LEAP, "360_day": alike(Array(12).fill(30)),
};

const momentAt = (calendar, day, ms) => {
  const whole = day + floor(ms / DAY);
  return Number.isNaN(whole) ? undefined : { date: calendar.fromDay(whole), ms: ms - floor(ms / DAY) * DAY };
};

/**
 * A function from a stored number to its moment, `{ date: [year, month, day], ms }` or undefined where it is none.
 * Undefined itself where these are no such units: "months since" and "years since" have no one length.
 */
export function timeDecoder({ units, calendar = "standard" } = {}) {
  const match = typeof units === "string" && /^\s*(\w+)\s+since\s+(.+?)\s*$/i.exec(units);
  const days = CALENDARS[String(calendar).toLowerCase()];
  if (!match || !days) return undefined;
  const word = match[1].toLowerCase();
  const unit = UNIT_MS[word] ?? UNIT_MS[word.replace(/s$/, "")];
  const parts = /^(-?\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d*)?)?)?\s*(Z|UTC|\+00:?00)?$/i.exec(match[2]);
  if (!unit || !parts) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map((part) => (part === undefined ? undefined : Number(part)));
  if (month < 1 || month > 12) return undefined;
  const epoch = days.toDay(year, month, day);
  const start = hour * 36e5 + minute * 6e4 + second * 1e3;
  return (stored) => momentAt(days, epoch, Math.round(start + stored * unit));
}

/** The same for datetime64, from the array's `timeUnit`. */
export function datetimeDecoder({ unit, scale }) {
  const epoch = GREGORIAN.toDay(1970, 1, 1);
  if (unit in NUMPY_MS) return (stored) => momentAt(GREGORIAN, epoch, floor(stored * scale * NUMPY_MS[unit]));
  const months = { Y: 12 * scale, M: scale }[unit];
  return months && ((stored) => momentAt(GREGORIAN, GREGORIAN.toDay(1970 + floor((stored * months) / 12), 1 + stored * months - 12 * floor((stored * months) / 12), 1), 0));
}

/** "1 Mar 2024", with the time of day unless `daily`. */
export function dateText(moment, daily) {
  if (!moment) return "no date";
  const { date: [year, month, day], ms } = moment;
  const text = `${day} ${MONTHS[month - 1]} ${year}`;
  if (daily) return text;
  const two = (n) => String(n).padStart(2, "0");
  const seconds = floor(ms / 1e3) % 60;
  return `${text} ${two(floor(ms / 36e5))}:${two(floor(ms / 6e4) % 60)}${seconds ? `:${two(seconds)}` : ""}`;
}

/** A span of dates in a word where it has one: "Mar", "2024", else its first day. */
export function spanText(from, to, daily) {
  if (!from || !to) return dateText(from, daily);
  const [[year, month, day], [lastYear, lastMonth, lastDay]] = [from.date, to.date];
  const first = dateText(from, daily);
  if (year !== lastYear || (month === lastMonth && day === lastDay)) return first;
  if (month === lastMonth) return MONTHS[month - 1];
  return month === 1 && lastMonth === 12 ? String(year) : `${MONTHS[month - 1]}–${MONTHS[lastMonth - 1]}`;
}
