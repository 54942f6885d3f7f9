// Chooses ticks of a time axis: the first steps of years, months, days or hours, as many as there is room for.
import { dateText } from "./time.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const HOUR = 36e5; // ms
const { floor } = Math;
const two = (n) => String(n).padStart(2, "0");

const years = (n) => ({ keyOf: ({ date: [year] }) => floor(year / n), label: ({ date: [year] }) => String(year) });
const months = (n) => ({ keyOf: ({ date: [year, month] }) => year * 12 + floor((month - 1) / n) * n, label: ({ date: [year, month] }) => (month === 1 ? String(year) : `${MONTHS[month - 1]} ${year}`) });
/** Days of a month in groups of `n`, which begin anew with each month; a group cut short belongs to the one before. */
const days = (n) => ({ keyOf: ({ date: [year, month, day] }) => (year * 12 + month) * 31 + Math.min(floor((day - 1) / n), floor(31 / n) - 1), label: (moment) => dateText(moment, true) });
/** Hours of a day in groups of `n`; a step is said by its date where the `other` one beside it is of another day. */
const hours = (n) => ({ keyOf: ({ date: [year, month, day], ms }) => ((year * 12 + month) * 31 + day) * 24 + floor(ms / HOUR / n) * n, label: (moment, other = moment) => (moment.ms < HOUR * n || String(moment.date) !== String(other.date) ? dateText(moment, true) : `${two(floor(moment.ms / HOUR))}:${two(floor(moment.ms / 6e4) % 60)}`) });
const UNITS = [hours(1), hours(3), hours(6), hours(12), days(1), days(2), days(5), days(10), months(1), months(3), months(6), ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map(years)];

/** The first steps from `from` below `to` that lie in another part of the calendar than the step before; undefined where there are more than `most`. */
function beginsOf(moments, [from, to], keyOf, most) {
  const found = [];
  for (let at = from; at < to; ) {
    const key = keyOf(moments[at]);
    if (at === 0 || keyOf(moments[at - 1]) !== key) found.push(at);
    if (found.length > most) return undefined;
    let [low, high] = [at + 1, to]; // the first step of another key lies here
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keyOf(moments[middle]) === key) low = middle + 1;
      else high = middle;
    }
    at = low;
  }
  return found;
}

/** Without the axis's own first step where only the rest of a month or the like follows it: its label would meet the next one's. */
const withoutRest = (found) => (found[0] === 0 && found.length > 2 && found[1] < 0.6 * (found[2] - found[1]) ? found.slice(1) : found);

/** Below zero where one moment is before another. */
const compared = ({ date: a, ms: first }, { date: b, ms: last }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || first - last;

/**
 * Ticks of the steps from one to before another, `{ at, label }`, in the finest unit of which there are at most `wanted`
 * and at least two; undefined where no unit has as many, or dates are missing or do not rise.
 */
export function calendarTicks(moments, [from, to], wanted) {
  const [first, last] = [Math.max(0, floor(from)), Math.min(moments.length, Math.ceil(to))];
  if (last - first < 2 || !moments[first] || !moments[last - 1] || compared(moments[first], moments[last - 1]) >= 0) return undefined;
  for (const { keyOf, label } of UNITS) {
    const most = Math.max(2, floor(wanted));
    const found = withoutRest(beginsOf(moments, [first, last], keyOf, most + 1) ?? []);
    if (found.length >= 2 && found.length <= most) return found.map((at) => ({ at, label: label(moments[at], moments[at - 1] ?? moments[at + 1]) }));
  }
  return undefined;
}
