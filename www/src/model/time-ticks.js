// Ticks of values that are times, in milliseconds since 1970: round ones of the calendar, said as dates. Loaded for such values alone.
import { dateText, momentAt } from "./time.js";

const [SECOND, MINUTE, HOUR, DAY] = [1e3, 6e4, 36e5, 864e5];
/** Distances below a month. */
const EVEN = [1, 10, 100, SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 5 * DAY, 10 * DAY];
const MONTHS = [1, 3, 6, ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000].map((years) => 12 * years)];
const MONTH = 2_629_746_000; // ms, about
const MOST = 864e13; // ms, that dates of the browser reach

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
