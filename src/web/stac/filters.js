/** Filters of items by place and time, as the catalogs' API has them; applied here too, because static catalogs have none. */

/** An interval of milliseconds since 1970; an open end is infinite. */
function intervalOf(start, end) {
  const time = (text, open) => (text === undefined || text === null || text === "" || text === ".." ? open : +new Date(text));
  return [time(start, -Infinity), time(end, Infinity)];
}

/**
 * Checks a filter by time: a date, or `"start/end"`, in which either may be `".."`.
 *
 * @returns {{ text: string, interval: number[] } | undefined}
 */
export function timesOf(datetime) {
  if (datetime === undefined || datetime === null) return undefined;
  const text = (Array.isArray(datetime) ? datetime : [datetime]).map((each) => (each instanceof Date && !Number.isNaN(+each) ? each.toISOString() : (each ?? "..").toString())).join("/");
  const [start, end = start, more] = text.split("/");
  const interval = intervalOf(start, end);
  if (interval.some(Number.isNaN) || more !== undefined) throw new TypeError(`the option datetime must be a date, or "start/end" with dates or "..", not ${JSON.stringify(text)}`);
  // A day stands for its whole length, and the API takes no dates without a time.
  const isDay = (side) => /^\d{4}-\d\d-\d\d$/.test(side);
  if (isDay(end)) interval[1] += 86_400_000 - 1;
  const whole = (side, time) => (isDay(side) ? `${new Date(time).toISOString().slice(0, 19)}Z` : side || "..");
  return { text: start === end && !isDay(start) ? text : `${whole(start, interval[0])}/${whole(end, interval[1])}`, interval };
}

/** Checks a filter by place: west, south, east, north, in degrees, with heights or without. */
export function boxOf(bbox) {
  if (bbox === undefined || bbox === null) return undefined;
  const isBox = Array.isArray(bbox) && (bbox.length === 4 || bbox.length === 6) && bbox.every(Number.isFinite);
  if (!isBox) throw new TypeError(`the option bbox must be [west, south, east, north] in degrees, not ${JSON.stringify(bbox)}`);
  return bbox;
}

const flat = (box) => (box.length === 6 ? [box[0], box[1], box[3], box[4]] : box);

/** Ranges of longitudes of a box, which may cross 180 degrees. */
const longitudes = ([west, , east]) => (west <= east ? [[west, east]] : [[west, 180], [-180, east]]);

/** Whether two boxes share a point. */
export function meets(one, other) {
  const [a, b] = [flat(one), flat(other)];
  const isAbreast = longitudes(a).some(([west, east]) => longitudes(b).some(([start, end]) => west <= end && start <= east));
  return isAbreast && a[1] <= b[3] && b[1] <= a[3];
}

/** Start and end of an item or a collection in time, as texts or null; undefined where it states none. */
export function spanOf(object) {
  const { datetime, start_datetime: start, end_datetime: end } = object.properties ?? {};
  if (start || end) return [start ?? null, end ?? null];
  if (datetime) return [datetime, datetime];
  const [first] = object.extent?.temporal?.interval ?? [];
  return Array.isArray(first) ? [first[0] ?? null, first[1] ?? null] : undefined;
}

/** Whether an item is within filters. */
export function passes(object, box, times) {
  if (box && !(Array.isArray(object.bbox) && meets(object.bbox, box))) return false;
  if (!times) return true;
  const span = spanOf(object);
  if (!span) return false;
  const [start, end] = intervalOf(...span);
  return start <= times.interval[1] && end >= times.interval[0];
}
