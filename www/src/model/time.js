// Says the package's times in words: dates of any calendar, by their ISO labels.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const { floor } = Math;

/** The moment of a label as `decodeTime` gives it, `{ date: [year, month, day], ms }`, or undefined where it is none. */
export function momentOf(label) {
  const parts = /^(-?\d+)-(\d+)-(\d+)T(\d+):(\d+):([\d.]+)/.exec(label ?? "");
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
  return { date: [year, month, day], ms: hour * 36e5 + minute * 6e4 + floor(second * 1e3) };
}

/** The moment of milliseconds since 1970. */
export const momentAt = (ms) => (Math.abs(ms) <= 864e13 ? momentOf(new Date(ms).toISOString().replace(/^\+/, "")) : undefined);

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

/**
 * A span of dates without what the span before it, which begins at `before`, has said: "9 Jan", then "10" and "1 Feb", of
 * parts of days "06:00". Spans that have a word of their own are said by that.
 */
export function shortSpan(from, to, before, daily) {
  if (!from || !to) return spanText(from, to, daily);
  const [[year, month, day], [lastYear, lastMonth, lastDay]] = [from.date, to.date];
  const isMonth = month === lastMonth && day === 1 && lastDay >= 28;
  if (year === lastYear && (isMonth || month !== lastMonth)) return spanText(from, to, daily);
  const [beforeYear, beforeMonth, beforeDay] = before?.date ?? [];
  const isSameMonth = year === beforeYear && month === beforeMonth;
  if (!daily && isSameMonth && day === beforeDay) return dateText(from).split(" ").at(-1);
  const days = year === lastYear && day !== lastDay ? `${day}–${lastDay}` : String(day);
  return isSameMonth ? days : `${days} ${MONTHS[month - 1]}`;
}

/** A span of dates in a word where it has one: "Mar", "2024", "3–9 Mar", else its first day. */
export function spanText(from, to, daily) {
  if (!from || !to) return dateText(from, daily);
  const [[year, month, day], [lastYear, lastMonth, lastDay]] = [from.date, to.date];
  const first = dateText(from, daily);
  if (year !== lastYear || (month === lastMonth && day === lastDay)) return first;
  if (month === lastMonth && day === 1 && lastDay >= 28) return MONTHS[month - 1];
  if (month === lastMonth) return `${day}–${lastDay} ${MONTHS[month - 1]}`;
  return month === 1 && lastMonth === 12 ? String(year) : `${MONTHS[month - 1]}–${MONTHS[lastMonth - 1]}`;
}
