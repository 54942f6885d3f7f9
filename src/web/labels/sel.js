/** Reads by label: labels become places along the axes, and these a read. */
import { heeding, labelsAlong, refusal } from "./coordinates.js";
import { between, direction, near, nearest, places } from "./labels.js";

const METHODS = { nearest: "nearest", pad: "pad", ffill: "pad", backfill: "backfill", bfill: "backfill" };
const DAY = 864e5;

/** The milliseconds from 1970 on, and back, that 64 bits of nanoseconds hold: up to 2262-04-11. */
const REACH = 2 ** 63 / 1e6;

/** Whether a text of a time tells more of it than its milliseconds. */
const isFine = (text) => typeof text === "string" && /\.\d{4}/.test(text);

/** Nanoseconds since 1970, where milliseconds since then do not tell enough. */
const nanoseconds = (milliseconds, more = 0) => BigInt(milliseconds) * 1_000_000n + BigInt(more);

/** The keys of times in nanoseconds, which are made once; `null`, no time, is NaN. */
function exactKeys(found) {
  const { array, keys, labels, areFine } = found;
  const key = (label, i) => (label === null ? NaN : areFine ? nanoseconds(...array.timeSpan(label)) : nanoseconds(keys[i]));
  return (found.exactKeys ??= labels.map(key));
}

/** A label as a message shows it. */
function shown(label) {
  if (label instanceof Date) return label.toISOString();
  return typeof label === "string" ? JSON.stringify(label) : String(label);
}

/** One axis of a query: what its labels are, and how it fails. */
class Axis {
  /** @param {number} axis @param {string} name @param {import("./coordinates.js").Labels} found @param {unknown[]} wanted its labels that are asked for */
  constructor(axis, name, found, wanted, { method, tolerance = Infinity }) {
    Object.assign(this, { axis, name, ...found, method: METHODS[method], tolerance });
    if (found.kind === "time") found.areFine ??= found.labels.some(isFine);
    this.isExact = found.kind === "time" && (found.areFine || wanted.some(isFine));
    if (this.isExact) Object.assign(this, { keys: exactKeys(found), tolerance: Number(tolerance) * 1e6 });
  }

  refuse(reason) {
    throw refusal(this.axis, this.name, reason);
  }

  /** The keys of one label: from, to, and whether that is a span, which its end is not part of. */
  span(label) {
    const { kind, array, calendar } = this;
    if (kind === "text" && typeof label === "string") return { label, from: label, to: label };
    if (kind === "number" && ["number", "bigint", "boolean"].includes(typeof label)) {
      const key = this.number(label);
      return { label, from: key, to: key };
    }
    if (kind === "time" && typeof label === "string") {
      const found = array.timeSpan(label);
      if (!found) this.refuse(`${shown(label)} is no date of the calendar ${calendar}, such as "2024", "2024-02" or "2024-02-03T12"`);
      // Where nothing tells more than milliseconds, these are all that there is.
      const [from, to] = [found.slice(0, 2), found.slice(2)].map((parts) => (this.isExact ? nanoseconds(...parts) : parts[0]));
      return { label, from, to, isSpan: true };
    }
    if (kind === "time" && (typeof label === "number" || label instanceof Date)) {
      const date = new Date(label);
      if (Number.isNaN(date.getTime())) this.refuse("the label is no date");
      // Of a model's calendar, dates are what is called the same.
      const from = this.isReal ? this.milliseconds(Number(label)) : this.span(date.toISOString()).from;
      return { label: date, from, to: from };
    }
    const expected = { text: "a string", number: "a number", time: 'a string such as "2024-02", a Date, or milliseconds since 1970' }[kind];
    return this.refuse(`expected ${expected}, got ${shown(label)}`);
  }

  /** The key of a number: an integer that no number is stays a bigint, and so does any where keys are bigints. */
  number(label) {
    if (this.isBig) return typeof label === "boolean" || Number.isInteger(label) ? BigInt(label) : label;
    const number = Number(label);
    if (number < label || number > label) return label;
    return this.single ? Math.fround(number) : number;
  }

  /** The key of milliseconds, which may have a fraction. */
  milliseconds(number) {
    const whole = Math.floor(number);
    return this.isExact ? nanoseconds(whole, Math.round((number - whole) * 1e6)) : number;
  }

  /** That the labels have an order, which `what` needs. */
  check(what) {
    if (direction(this.keys) === 0) this.refuse(`the labels neither rise nor fall, and ${what} needs an order; single labels can be selected, and lists of them`);
  }

  /** The place of a label that may be near another. */
  near(span) {
    if (this.kind === "text") this.refuse("there is no method for texts");
    this.check("a method");
    const place = near(this.keys, span.from, this.method, this.tolerance);
    return place < 0 ? this.miss(span) : place;
  }

  /** There is no such label. */
  miss({ label, from }) {
    const { keys, labels, kind, method } = this;
    if (kind === "text") {
      const some = Array.from(keys).slice(0, 5).map(shown).join(", ");
      return this.refuse(`there is no label ${shown(label)}; the labels are ${some}${keys.length > 5 ? ", …" : ""}`);
    }
    const place = nearest(keys, from);
    const hint = method ? "" : ', which method: "nearest" takes';
    const none = Number.isNaN(from) ? "NaN equals no label" : "there are none";
    return this.refuse(`there is no label ${shown(label)}; ${place < 0 ? none : `the nearest is ${labels[place]}${hint}`}`);
  }

  /** Whether a text names more than one label can be: a month of days, and in the calendars that numpy lacks, all. */
  isPeriod({ from, to, isSpan }) {
    const length = this.isExact ? Number(to - from) / 1e6 : to - from;
    return isSpan && (length > this.resolution || (!this.method && !this.isNumpys));
  }

  /** What is selected by one label. */
  one(label) {
    const { keys } = this;
    const span = this.span(label);
    if (this.isPeriod(span)) return this.period(span);
    if (this.method) return this.near(span);
    const found = places(keys, span.from);
    if (found.length === 0) this.miss(span);
    return found.length === 1 ? found[0] : found;
  }

  /** What lies in a span of time. */
  period(span) {
    const { keys } = this;
    const { from, to } = span;
    if (direction(keys) === 0) {
      const found = [...keys.keys()].filter((i) => keys[i] >= from && keys[i] < to);
      return found.length === 0 ? this.miss(span) : found;
    }
    const [start, stop] = between(keys, (key) => key < from, (key) => key >= to);
    if (start < stop) return { start, stop };
    if (this.method) return this.near(span);
    // Between two labels there is a place for nothing; before all, or after them, there is none.
    return start === 0 || start === keys.length ? this.miss(span) : { start, stop };
  }

  /** What lies between two labels, of which either may be the larger, and either an end of the axis. */
  range(ends, step) {
    this.check("a range");
    const spans = ends.map((end) => (end === undefined || end === null ? undefined : this.end(end)));
    const [a, b] = spans;
    const rises = direction(this.keys) > 0;
    const [low, high] = a && b ? (a.from <= b.from ? [a, b] : [b, a]) : rises ? [a, b] : [b, a];
    const isAbove = (key) => high && (high.isSpan ? key >= high.to : key > high.to);
    const [start, stop] = between(this.keys, (key) => low && key < low.from, isAbove);
    return { start, stop, ...(step > 1 && { step }) };
  }

  /** An end of a range, by a method the label that is near it. */
  end(label) {
    const span = this.span(label);
    if (!this.method || this.isPeriod(span)) return span;
    const key = this.keys[this.near(span)];
    return { from: key, to: key };
  }

  /** What is selected by a list of labels. */
  list(labels) {
    return Array.from(labels, (label) => {
      const span = this.span(label);
      if (this.method) return this.near(span);
      const place = this.keys.indexOf(span.from);
      return place < 0 ? this.miss(span) : place;
    });
  }

  get isReal() {
    return /standard|gregorian|julian/.test(this.calendar);
  }

  /** Whether the times are numpy's in xarray: those of the common calendar are, as far as datetime64[ns] reaches. */
  get isNumpys() {
    const [first, last] = [-REACH, REACH].map((end) => this.milliseconds(end));
    return /standard|gregorian/.test(this.calendar) && (this.array.timeUnit || !this.keys.some((key) => key < first || key > last));
  }

  /** The milliseconds that all labels are multiples of: of a day, an hour, a minute, a second, or a thousandth of one or less. */
  get resolution() {
    const ends = [["T00:00:00", DAY], [":00:00", 36e5], [":00", 6e4]];
    const labels = this.labels.filter((label) => label !== null);
    const found = ends.find(([end]) => labels.every((label) => label.endsWith(end)));
    if (found) return found[1];
    const digits = labels.reduce((most, label) => Math.max(most, label.length - (label.indexOf(".") + 1 || label.length)), 0);
    return 1e3 / 10 ** digits;
  }

  /** The labels of what was selected. */
  of(selected) {
    const { labels } = this;
    if (typeof selected === "number") return labels[selected];
    if (Array.isArray(selected)) return selected.map((place) => labels[place]);
    const { start, stop, step = 1 } = selected;
    return labels.slice(start, stop).filter((_, i) => i % step === 0);
  }
}

/** The forms that what is wanted of an axis may have: a range, a list, or one label. */
function form(wanted, axis, name) {
  if (Array.isArray(wanted) || ArrayBuffer.isView(wanted)) return { list: wanted };
  if (wanted instanceof Date || typeof wanted !== "object") return { one: wanted };
  const { start, stop, step } = wanted;
  if (step !== undefined && step !== null && !(Number.isInteger(step) && step > 0)) {
    throw refusal(axis, name, "the step of a range of labels is an integer from 1 up");
  }
  return { ends: [start, stop], step };
}

/** What `get` is to select of an axis. */
function select({ ends, list, one, step }, labels) {
  return ends ? labels.range(ends, step) : list ? labels.list(list) : labels.one(one);
}

/** The same by index, where an axis has no labels, and the end of a range is no part of it. */
function selectByIndex({ ends, list, one, step }, axis, name) {
  const all = ends ?? list ?? [one];
  if (!Array.from(all).every((index) => index === null || index === undefined || Number.isInteger(index))) {
    throw refusal(axis, name, "the axis has no coordinate, so it is selected by integers");
  }
  if (!ends) return list ? Array.from(list) : one;
  return { start: ends[0] ?? null, stop: ends[1] ?? null, step };
}

/** What `sel` of an array does. */
export async function sel(array, query, options) {
  const { method, tolerance, signal } = options ?? {};
  if (method !== undefined && method !== null && !(method in METHODS)) {
    throw new TypeError(`the option method is one of ${Object.keys(METHODS).join(", ")}, not ${String(method)}`);
  }
  if (tolerance !== undefined && !(tolerance >= 0)) throw new TypeError("the option tolerance is a number from 0 up");
  if (typeof query !== "object" || query === null || Array.isArray(query)) {
    throw refusal(undefined, "sel", "expected an object of labels by dimension name; get selects by index");
  }
  const names = array.dimensionNames ?? [];
  const asked = Object.entries(query).filter(([, wanted]) => wanted !== undefined && wanted !== null);
  const selection = {};
  const coordinates = {};
  const axes = asked.map(([name, wanted]) => {
    const axis = names.indexOf(name);
    if (axis < 0) throw Object.assign(new Error(`selection: there is no dimension ${JSON.stringify(name)}; the names are ${names.join(", ")}`), { name: "SelectionError" });
    return { name, axis, parts: form(wanted, axis, name) };
  });
  const found = await heeding(signal, Promise.all(axes.map(({ axis }) => labelsAlong(array, axis))));
  axes.forEach(({ name, axis, parts }, i) => {
    if (!found[i]) {
      selection[name] = selectByIndex(parts, axis, name);
      return;
    }
    const labels = new Axis(axis, name, found[i], Array.from(parts.ends ?? parts.list ?? [parts.one]), options ?? {});
    selection[name] = select(parts, labels);
    coordinates[name] = labels.of(selection[name]);
  });
  return { ...(await array.get(selection, options)), selection, coordinates };
}
