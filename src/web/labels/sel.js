/** Reads by label: labels become indices along the axes, which are read. */
import { broughtAlong, labelsAlong, refusal } from "./coordinates.js";
import { untilAborted } from "../common/until-aborted.js";
import { between, direction, near, nearest, places } from "./search.js";
import { Circle, checkWrap, periodOf } from "./wrapped.js";

const METHODS = { nearest: "nearest", pad: "pad", ffill: "pad", backfill: "backfill", bfill: "backfill" };
const DAY = 864e5;

/** Most labels of a dimension that was not asked for, which a result brings along. */
const MOST_BROUGHT = 2 ** 20;

/** Range of 64-bit nanoseconds around 1970, in milliseconds: up to 2262-04-11. */
const REACH = 2 ** 63 / 1e6;

/** Whether the text of a time is finer than milliseconds. */
const isFine = (text) => typeof text === "string" && /\.\d{4}/.test(text);

/** Nanoseconds since 1970, for times finer than milliseconds. */
const nanoseconds = (milliseconds, more = 0) => BigInt(milliseconds) * 1_000_000n + BigInt(more);

/** Keys of times in nanoseconds, made once; the key of `null`, NaT, is NaN. */
function exactKeys(found) {
  const { array, keys, labels, areFine } = found;
  const key = (label, i) => (label === null ? NaN : areFine ? nanoseconds(...array.timeSpan(label)) : nanoseconds(keys[i]));
  return (found.exactKeys ??= labels.map(key));
}

/** Whether a value is a date, of any realm. */
const isDate = (value) => Object.prototype.toString.call(value) === "[object Date]";

/** Text of a label for a message. */
function shown(label) {
  if (isDate(label)) return label.toISOString();
  return typeof label === "string" ? JSON.stringify(label) : String(label);
}

/** One axis of a query: its labels, the look-up of labels, and its errors. */
class Axis {
  /** @param {number} axis @param {string} name @param {import("./coordinates.js").Labels} found @param {unknown[]} wanted labels of the query */
  constructor(axis, name, found, wanted, { method, tolerance = Infinity, wrap }) {
    this.axis = axis;
    this.name = name;
    this.array = found.array;
    /** @type {any} */
    this.keys = found.keys;
    /** @type {any} */
    this.labels = found.labels;
    this.kind = found.kind;
    this.single = found.single;
    this.isBig = found.isBig;
    this.calendar = found.calendar ?? "";
    this.unread = found.unread;
    this.method = METHODS[method];
    this.tolerance = tolerance;
    const period = wrap === undefined ? undefined : periodOf(wrap, name, found.array);
    if (period !== undefined && (found.kind !== "number" || found.isBig)) this.refuse("the option wrap is for labels that are numbers");
    /** @type {any} */
    this.circle = period === undefined ? undefined : new Circle(/** @type {Float64Array} */ (found.keys), period, found.single);
    if (found.kind === "time") found.areFine ??= Array.prototype.some.call(found.labels, isFine);
    this.isExact = found.kind === "time" && (found.areFine || wanted.some(isFine));
    if (!this.isExact) return;
    this.keys = exactKeys(found);
    this.tolerance = Number(tolerance) * 1e6;
  }

  refuse(reason) {
    throw refusal(this.axis, this.name, reason);
  }

  /** Keys of one label: `from`, `to`, and `isSpan` for a period of time, whose end is exclusive. */
  span(label) {
    const { kind, array, calendar } = this;
    if (kind === "text" && typeof label === "string") return { label, from: label, to: label };
    if (kind === "number" && ["number", "bigint", "boolean"].includes(typeof label)) {
      const key = this.number(label);
      return { label, from: key, to: key };
    }
    if (kind === "time" && typeof label === "string") {
      const found = array.timeSpan(label);
      if (!found) this.refuse(`${shown(label)} is not a date of the calendar ${calendar}; expected e.g. "2024", "2024-02" or "2024-02-03T12"`);
      // Milliseconds are enough where no label is finer.
      const [from, to] = [found.slice(0, 2), found.slice(2)].map((parts) => (this.isExact ? nanoseconds(...parts) : parts[0]));
      return { label, from, to, isSpan: true };
    }
    if (kind === "time" && (typeof label === "number" || isDate(label))) {
      const date = new Date(label);
      if (Number.isNaN(date.getTime())) this.refuse("the label is an invalid date");
      // In a model calendar, a date stands for the day of the same name.
      const from = this.isReal ? this.milliseconds(Number(label)) : this.span(date.toISOString()).from;
      return { label: date, from, to: from };
    }
    const expected = { text: "a string", number: "a number", time: 'a string such as "2024-02", a Date, or milliseconds since 1970' }[kind];
    const why = this.unread && (typeof label === "string" || isDate(label)) ? `; its numbers are not read as times: ${this.unread}` : "";
    return this.refuse(`expected ${expected}, got ${shown(label)}${why}`);
  }

  /** Key of a number: a bigint where it is beyond 2^53, or where the axis' keys are bigints. */
  number(label) {
    if (this.isBig) return typeof label === "boolean" || Number.isInteger(label) ? BigInt(label) : label;
    const number = Number(label);
    if ((number < label || number > label) && this.circle) this.refuse("with the option wrap, labels are numbers, integers below 2^53");
    if (number < label || number > label) return label;
    return this.single ? Math.fround(number) : number;
  }

  /** Key of milliseconds, which may have a fraction. */
  milliseconds(number) {
    const whole = Math.floor(number);
    return this.isExact ? nanoseconds(whole, Math.round((number - whole) * 1e6)) : number;
  }

  /** Checks that the labels are sorted, which `what` needs. */
  check(what) {
    if (direction(this.keys) === 0) this.refuse(`the labels are not sorted, which ${what} needs; select a single label or a list of labels`);
  }

  /** Position of a label by the option method. */
  near(span) {
    if (this.kind === "text") this.refuse("text labels must be equal; omit the option method");
    if (!this.circle || this.method !== "nearest") this.check("the option method");
    const place = this.circle ? this.circle.near(span.from, this.method, this.tolerance) : near(this.keys, span.from, this.method, this.tolerance);
    return place < 0 ? this.miss(span) : place;
  }

  /** Position of the label at a place of an axis that closes. */
  around(span) {
    const place = this.circle.at(span.from);
    return place < 0 ? this.miss(span) : place;
  }

  /** Throws the error for a label that does not exist. */
  miss({ label, from }) {
    const { keys, labels, kind, method } = this;
    if (kind === "text") {
      const some = Array.from(keys).slice(0, 5).map(shown).join(", ");
      return this.refuse(`there is no label ${shown(label)}; the labels are ${some}${keys.length > 5 ? ", …" : ""}`);
    }
    const place = this.circle ? this.circle.near(from, "nearest", Infinity) : nearest(keys, from);
    const hint = method ? "" : '; pass method: "nearest" to select it';
    const none = Number.isFinite(Number(from)) ? "the axis has no labels" : `${from} equals no label`;
    return this.refuse(`there is no label ${shown(label)}; ${place < 0 ? none : `the nearest is ${labels[place]}${hint}`}`);
  }

  /** Whether a text is a period of several labels: a month of days; in calendars that numpy lacks, any text. */
  isPeriod({ from, to, isSpan }) {
    const length = this.isExact ? Number(to - from) / 1e6 : to - from;
    return isSpan && (length > this.resolution || (!this.method && !this.isNumpys));
  }

  /** Selection of one label. */
  one(label) {
    const { keys } = this;
    const span = this.span(label);
    if (this.isPeriod(span)) return this.period(span);
    if (this.method) return this.near(span);
    if (this.circle) return this.around(span);
    const found = places(keys, span.from);
    if (found.length === 0) this.miss(span);
    return found.length === 1 ? found[0] : found;
  }

  /** Selection of a period of time. */
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
    // A period between two labels selects nothing; before the first label or after the last it is an error.
    return start === 0 || start === keys.length ? this.miss(span) : { start, stop };
  }

  /** Selection between two labels, in either order; a missing one stands for the end of the axis. */
  range(ends, step) {
    const [first, last] = ends;
    if (this.circle && (first ?? last ?? undefined) !== undefined) return this.rangeAround(first, last, step ?? 1);
    this.check("a range");
    const spans = ends.map((end) => (end === undefined || end === null ? undefined : this.end(end)));
    const [a, b] = spans;
    const rises = direction(this.keys) > 0;
    const [low, high] = a && b ? (a.from <= b.from ? [a, b] : [b, a]) : rises ? [a, b] : [b, a];
    const isAbove = (key) => high && (high.isSpan ? key >= high.to : key > high.to);
    const [start, stop] = between(this.keys, (key) => low && key < low.from, isAbove);
    return { start, stop, ...(step > 1 && { step }) };
  }

  /**
   * Selection from one label upwards to another on an axis that closes. A missing first label is the least of the axis,
   * and a missing last one the greatest.
   */
  rangeAround(first, last, step) {
    const { circle, keys, method } = this;
    const numbers = keys.filter((key) => !Number.isNaN(key));
    if (numbers.length === 0) return { start: 0, stop: 0 };
    const [least, most] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
    const isOpen = (last ?? undefined) === undefined;
    const asked = [first ?? least, last ?? most].map((label) => this.span(label).from);
    const odd = asked.find((end) => !Number.isFinite(end));
    if (odd !== undefined) this.refuse(`${odd} is no end of a range; null stands for the end of the axis`);
    const [from, to] = asked;
    const width = isOpen && from < least ? circle.up(from, to) : circle.width(from, to);
    if (!method) return circle.range(from, width, step);
    // The width is that of the labels as they are asked, moved by the ways to those that the method takes: taken from
    // these, a whole turn whose ends come to one label would be that label alone.
    const ends = [first, last].map((label, i) => ((label ?? undefined) === undefined ? asked[i] : this.end(label).from));
    const [before, after] = ends.map((end, i) => circle.shift(asked[i], end, method));
    const moved = width === circle.period ? width : Math.min(Math.max(width + after - before, 0), circle.period);
    return circle.range(ends[0], moved, step);
  }

  /** Keys of an end of a range; with the option method, those of the label near it. */
  end(label) {
    const span = this.span(label);
    if (!this.method || this.isPeriod(span)) return span;
    const key = this.keys[this.near(span)];
    return { from: key, to: key };
  }

  /** Selection of a list of labels. */
  list(labels) {
    return Array.from(labels, (label) => {
      const span = this.span(label);
      if (this.method) return this.near(span);
      if (this.circle) return this.around(span);
      const place = this.keys.indexOf(span.from);
      return place < 0 ? this.miss(span) : place;
    });
  }

  get isReal() {
    return /standard|gregorian|julian/.test(this.calendar);
  }

  /** Whether xarray holds the times as datetime64: in the standard calendar, within datetime64[ns]. */
  get isNumpys() {
    const [first, last] = [-REACH, REACH].map((end) => this.milliseconds(end));
    return /standard|gregorian/.test(this.calendar) && (this.array.timeUnit || !this.keys.some((key) => key < first || key > last));
  }

  /** Resolution of the labels in milliseconds: a day, an hour, a minute, a second, or a decimal fraction of one. */
  get resolution() {
    /** @type {[string, number][]} */
    const ends = [["T00:00:00", DAY], [":00:00", 36e5], [":00", 6e4]];
    const labels = this.labels.filter((label) => label !== null);
    const found = ends.find(([end]) => labels.every((label) => label.endsWith(end)));
    if (found) return found[1];
    const digits = labels.reduce((most, label) => Math.max(most, label.length - (label.indexOf(".") + 1 || label.length)), 0);
    return 1e3 / 10 ** digits;
  }

  /** Labels of a selection. */
  of(selected) {
    const { labels } = this;
    if (typeof selected === "number") return labels[selected];
    if (Array.isArray(selected)) return selected.map((place) => labels[place]);
    const { start, stop, step = 1 } = selected;
    return labels.slice(start, stop).filter((_, i) => i % step === 0);
  }
}

/**
 * Parses the query of an axis: a range, a list, or one label.
 *
 * @returns {{ ends?: unknown[], list?: any, one?: any, step?: number }}
 */
function form(wanted, axis, name, hasFields) {
  if (Array.isArray(wanted) || ArrayBuffer.isView(wanted)) return { list: wanted };
  if (typeof wanted !== "object" || isDate(wanted)) return { one: isDate(wanted) ? new Date(wanted.getTime()) : wanted };
  const { start, stop, step } = wanted;
  // Objects of other kinds, such as a Set, would else select the whole axis.
  if (!hasFields(wanted) || [start, stop, step].every((end) => end === undefined)) {
    throw refusal(axis, name, `expected a label, slice(start, stop) or a list of labels, got ${Object.prototype.toString.call(wanted)}`);
  }
  if (step !== undefined && step !== null && !(Number.isInteger(step) && step > 0)) {
    throw refusal(axis, name, `expected a positive integer as the step of a range of labels, got ${step}`);
  }
  return { ends: [start, stop], step };
}

/** Selection of an axis by label, for `get`. @param {ReturnType<typeof form>} query @param {Axis} labels */
function select({ ends, list, one, step }, labels) {
  return ends ? labels.range(ends, step) : list ? labels.list(list) : labels.one(one);
}

/**
 * Selection of an axis without labels, by index; the end of a range is exclusive.
 *
 * @param {ReturnType<typeof form>} query @param {number} axis @param {string} name
 */
function selectByIndex({ ends, list, one, step }, axis, name) {
  const all = ends ?? list ?? [one];
  if (!Array.from(all).every((index) => index === null || index === undefined || Number.isInteger(index))) {
    throw refusal(axis, name, "the axis has no coordinate; select it by integers");
  }
  if (!ends) return list ? Array.from(list) : one;
  return { start: ends[0] ?? null, stop: ends[1] ?? null, step };
}

/**
 * Looks labels up: the selection by index that a query comes to, and the labels of its dimensions. It is handed `given`
 * and `hasFields`, and does not import them: a circle with the file that loads this one would bring this one into bundles
 * of workers, which read nothing by label.
 *
 * @param {any} array
 * @param {Record<string, any>} query
 * @param {{ method?: any, tolerance?: any, wrap?: any, isPlace?: boolean }} looking options of the look-up; of a place, the
 * method applies to single labels that are no text, and longitudes close after 360 degrees unless `wrap` says otherwise
 * @param {AbortSignal | undefined} signal
 * @param {any} helpers
 * @returns {Promise<{ selection: Record<string, any>, coordinates: Record<string, any> }>}
 */
export async function lookedUp(array, query, { method, tolerance, wrap: period, isPlace = false }, signal, { given, hasFields }) {
  signal?.throwIfAborted();
  const wrap = hasFields(period) ? given(period) : period;
  if (method !== undefined && !Object.hasOwn(METHODS, method)) {
    throw new TypeError(`the option method is one of ${Object.keys(METHODS).join(", ")}, not ${String(method)}`);
  }
  if (tolerance !== undefined && !(tolerance >= 0)) throw new TypeError("the option tolerance is a number from 0 up");
  const names = array.dimensionNames ?? [];
  const asked = Object.entries(query).filter(([, wanted]) => wanted !== undefined && wanted !== null);
  const selection = {};
  const coordinates = {};
  const axes = asked.map(([name, wanted]) => {
    const axis = names.indexOf(name);
    if (axis < 0) throw Object.assign(new Error(`selection: there is no dimension ${JSON.stringify(name)}; the names are ${names.join(", ")}`), { name: "SelectionError" });
    return { name, axis, parts: form(wanted, axis, name, hasFields) };
  });
  const found = await untilAborted(signal, Promise.all(axes.map(({ axis }) => labelsAlong(array, axis))));
  if (wrap !== undefined) checkWrap(wrap, axes.map(({ name }, i) => ({ name, array: found[i]?.array })));
  axes.forEach(({ name, axis, parts }, i) => {
    if (!found[i]) {
      selection[name] = selectByIndex(parts, axis, name);
      return;
    }
    const { kind, isBig } = found[i];
    const looking = { method, tolerance, wrap };
    if (isPlace && (parts.one === undefined || kind === "text")) looking.method = undefined;
    if (isPlace && parts.one !== undefined && kind === "number" && !isBig) looking.wrap ??= 360;
    const labels = new Axis(axis, name, found[i], Array.from(parts.ends ?? parts.list ?? [parts.one]), looking);
    selection[name] = select(parts, labels);
    coordinates[name] = labels.of(selection[name]);
  });
  return { selection, coordinates };
}

/** Implements `sel` of an array. */
export async function sel(array, query, options, helpers) {
  const { method, tolerance, wrap, coordinates: brought = "all", ...reading } = helpers.given(options);
  const { signal } = reading;
  if (!["all", "query"].includes(brought)) throw new TypeError(`the option coordinates is "all" or "query", not ${String(brought)}`);
  const { selection, coordinates } = await lookedUp(array, query, { method, tolerance, wrap }, signal, helpers);
  const names = array.dimensionNames ?? [];
  const isOther = (name, axis) => name && names.indexOf(name) === axis && !(name in selection) && array.shape[axis] <= MOST_BROUGHT;
  const others = brought === "all" ? names.filter(isOther) : [];
  // The values are asked for first, so that labels which nobody asked for never come before them.
  const values = array.get(selection, reading);
  const bringing = untilAborted(signal, Promise.all(others.map((name) => broughtAlong(array, names.indexOf(name)))));
  const [region, labels] = await Promise.all([values, bringing]);
  others.forEach((name, i) => labels[i] && (coordinates[name] = labels[i].slice()));
  return { ...region, selection, coordinates };
}
