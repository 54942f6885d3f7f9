// Values that are times, in milliseconds since 1970: where dates of other calendars lie among them, and round ones as ticks. Loaded for such values alone.
import { dateText, momentAt, momentOf } from "./time.js";

const [SECOND, MINUTE, HOUR, DAY] = [1e3, 6e4, 36e5, 864e5];
/** Distances below a month. */
const EVEN = [1, 10, 100, SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 5 * DAY, 10 * DAY];
const MONTHS = [1, 3, 6, ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000].map((years) => 12 * years)];
const MONTH = 2_629_746_000; // ms, about
const MOST = 864e13; // ms, that dates of the browser reach

/** Days of a month, from 1, in the calendars that have some which no Gregorian month has. */
const DAYS = { "360_day": () => 30, all_leap: (month) => [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] };
DAYS["366_day"] = DAYS.all_leap;

/** The first moment of a month and that of the next. */
const boundsOf = (year, month) => [month - 1, month].map((at) => new Date(0).setUTCFullYear(year, at, 1));

/**
 * Where the dates of a calendar lie. Those of months with other lengths are spread over the Gregorian month of the same name, so
 * that a line of them rises evenly within it: `placed(values, labels)` puts them there, `momentAt(v)` is the way back, and `labelAt(v)` its label.
 */
export function calendarOf(name) {
  const daysOf = Object.hasOwn(DAYS, name ?? "") ? DAYS[name] : undefined;
  const at = ({ date: [year, month, day], ms }) => {
    const [from, to] = boundsOf(year, month);
    return daysOf ? from + ((day - 1 + ms / DAY) / daysOf(month)) * (to - from) : from + (day - 1) * DAY + ms;
  };
  const back = (v) => {
    const moment = momentAt(v);
    if (!moment || !daysOf) return moment;
    const [year, month] = moment.date;
    const [from, to] = boundsOf(year, month);
    const ms = Math.min(daysOf(month) * DAY - 1, Math.round(((v - from) / (to - from)) * daysOf(month) * DAY));
    return { date: [year, month, 1 + Math.floor(ms / DAY)], ms: ms % DAY };
  };
  return {
    momentAt: back,
    labelAt(v) {
      const iso = new Date(v).toISOString();
      if (!daysOf) return iso;
      const { date: [, , day], ms } = back(v);
      return `${iso.slice(0, -16)}${String(day).padStart(2, "0")}${new Date(ms).toISOString().slice(10)}`;
    },
    /** Of other calendars, the dates that no Gregorian one is lie where its days after the month's last one are. */
    placed: (values, labels) => labels.forEach((label, i) => {
      const moment = daysOf || Number.isNaN(values[i]) ? momentOf(label) : undefined;
      if (moment) values[i] = at(moment);
    }),
  };
}

/** Ticks `{ v, label }` from one time to another, at most `wanted` of them, as far as there are dates. */
export function timeTicks([low, high], wanted) {
  const [from, to] = [Math.max(low, -MOST), Math.min(high, MOST)];
  if (!(to >= from)) return [];
  const step = EVEN.find((each) => (to - from) / each <= wanted);
  if (step) {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step).map((v) => ({ v, label: dateText(momentAt(v), step >= DAY) }));
  }
  const months = MONTHS.find((each) => (to - from) / (each * MONTH) <= wanted) ?? MONTHS.at(-1);
  const monthOf = (ms) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth();
  const found = [];
  for (let n = Math.floor(monthOf(from) / months); n * months <= monthOf(to); n++) {
    const v = new Date(0).setUTCFullYear(Math.floor((n * months) / 12), (((n * months) % 12) + 12) % 12, 1);
    if (!(v >= from && v <= to)) continue; // beyond the browser's dates there is none
    const { date: [year] } = momentAt(v);
    found.push({ v, label: months % 12 ? dateText(momentAt(v), true).replace(/^1 /, "") : String(year) });
  }
  return found;
}
