// Reads CF time coordinates ("days since 2024-01-01") as dates of the standard calendar.

const UNIT_MS = { week: 6048e5, day: 864e5, hour: 36e5, hr: 36e5, h: 36e5, minute: 6e4, min: 6e4, second: 1e3, sec: 1e3, s: 1e3, millisecond: 1, ms: 1, microsecond: 1e-3, nanosecond: 1e-6 };
const STANDARD = ["standard", "gregorian", "proleptic_gregorian"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A function from a stored number to milliseconds since 1970, or undefined where these are no such units. */
export function timeDecoder({ units, calendar = "standard" } = {}) {
  const match = typeof units === "string" && /^\s*(\w+)\s+since\s+(.+?)\s*$/i.exec(units);
  if (!match || !STANDARD.includes(String(calendar).toLowerCase())) return undefined;
  const word = match[1].toLowerCase();
  const unit = UNIT_MS[word] ?? UNIT_MS[word.replace(/s$/, "")];
  const parts = /^(-?\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d*)?)?)?\s*(Z|UTC|\+00:?00)?$/i.exec(match[2]);
  if (!unit || !parts) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map((part) => (part === undefined ? undefined : Number(part)));
  const epoch = new Date(0);
  epoch.setUTCFullYear(year, month - 1, day);
  epoch.setUTCHours(hour, minute, second);
  return (stored) => epoch.getTime() + stored * unit;
}

/** "1 Mar 2024", with the time of day unless `daily`. */
export function dateText(ms, daily) {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return "no date";
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  if (daily) return day;
  const seconds = date.getUTCSeconds();
  const two = (n) => String(n).padStart(2, "0");
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}${seconds ? `:${two(seconds)}` : ""}`;
}

/** A span of dates in a word where it has one: "Mar", "2024", else its first day. */
export function spanText(from, to, daily) {
  const [a, b] = [new Date(from), new Date(to)];
  if (a.getUTCFullYear() !== b.getUTCFullYear() || from === to) return dateText(from, daily);
  if (a.getUTCMonth() === b.getUTCMonth()) return a.getUTCDate() === b.getUTCDate() ? dateText(from, true) : MONTHS[a.getUTCMonth()];
  const whole = a.getUTCMonth() === 0 && b.getUTCMonth() === 11;
  return whole ? String(a.getUTCFullYear()) : `${MONTHS[a.getUTCMonth()]}–${MONTHS[b.getUTCMonth()]}`;
}
