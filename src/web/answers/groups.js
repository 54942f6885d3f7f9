/** Groups of an answer: by fields of dates, by the values of a coordinate, or by labels. */
import { along, axisCalled, given, refusal, sizeAlong } from "./axes.js";
import { labelsAlong } from "../labels/coordinates.js";

/** Most groups of an answer. */
const MOST = 2 ** 20;

/** Number of a place that belongs to no group. */
const NONE = 0xffffffff;

/** Days before each month, in a year that is no leap year and in a leap year. */
const BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** Whether a year of a calendar has a 29 February. */
function isLeap(year, calendar) {
  if (/^(noleap|365_day)$/.test(calendar)) return false;
  if (/^(all_leap|366_day)$/.test(calendar)) return true;
  const isJulian = calendar === "julian" || (calendar !== "proleptic_gregorian" && year < 1582);
  return year % 4 === 0 && (isJulian || year % 100 !== 0 || year % 400 === 0);
}

/** Number of a day within its year, from 1. */
function dayOfYear({ year, month, day }, calendar) {
  if (calendar === "360_day") return (month - 1) * 30 + day;
  return BEFORE[month - 1] + day + (month > 2 && isLeap(year, calendar) ? 1 : 0);
}

const SEASONS = ["DJF", "DJF", "MAM", "MAM", "MAM", "JJA", "JJA", "JJA", "SON", "SON", "SON", "DJF"];

/** Fields of a date by name, from its parts. */
const FIELDS = {
  year: ({ year }) => year,
  month: ({ month }) => month,
  season: ({ month }) => SEASONS[month - 1],
  quarter: ({ month }) => Math.ceil(month / 3),
  day: ({ day }) => day,
  dayofyear: (parts, calendar) => dayOfYear(parts, calendar),
  hour: ({ hour }) => hour,
  minute: ({ minute }) => minute,
};

/** Parts of an ISO label of a date. */
function partsOf(label) {
  const found = /** @type {RegExpExecArray} */ (/^(-?\d+)-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/.exec(label));
  const [year, month, day, hour = 0, minute = 0] = found.slice(1).map((digits) => Number(digits ?? 0));
  return { year, month, day, hour, minute };
}

/** Values by which the places of an axis are grouped, `undefined` for none. */
async function valuesAlong(array, axis, field, what) {
  const found = await labelsAlong(array, axis.axis);
  if (!found) throw refusal(`${what}: the axis ${axis.name} has no coordinate; pass a list of labels`);
  const { kind, labels, calendar = "standard" } = found;
  if (field === undefined) return (index) => labels[index];
  const name = field.toLowerCase().replaceAll("_", "");
  if (!Object.hasOwn(FIELDS, name)) throw refusal(`${what}: dates have the fields ${Object.keys(FIELDS).join(", ")}, not ${JSON.stringify(field)}`);
  if (kind !== "time") throw refusal(`${what}: the coordinate ${axis.name} has no dates`);
  return (index) => (labels[index] === null ? undefined : FIELDS[name](partsOf(/** @type {string} */ (labels[index])), calendar));
}

const isNothing = (value) => value === undefined || value === null || value === "" || (typeof value === "number" && Number.isNaN(value));

/** Sorts labels: numbers by size, texts as xarray does. */
const sorted = (labels) => labels.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** What labels are called in messages. */
const LABELS = "the labels of the option by";

/**
 * Groups by the option `by`.
 *
 * @returns {Promise<{ name: string, labels: any[], axes: any[], strides: number[], of: Uint32Array } | undefined>}
 */
export async function groupsBy(array, axes, by, signal) {
  if (by === undefined || by === null) return undefined;
  const what = "the option by";
  let values;
  let name;
  if (typeof by === "string") {
    const [dimension, field, ...more] = axes.some((axis) => axis.name === by) ? [by] : by.split(".");
    if (more.length) throw refusal(`${what} is a dimension, or a dimension and a field such as "time.month", not ${JSON.stringify(by)}`);
    const axis = axisCalled(axes, dimension, what);
    const valueAt = await valuesAlong(array, axis, field, what);
    name = field ?? dimension;
    const data = Array.from({ length: axis.length }, (_, index) => valueAt(index));
    values = { data, shape: [axis.length], dimensions: [dimension] };
  } else {
    const wanted = by.labels ?? by;
    name = by.name ?? "group";
    const dimensions = by.dimensions ?? (by.dimension === undefined ? undefined : [by.dimension]);
    const shape = by.shape ?? shapeOf(axes, dimensions, wanted);
    const labels = shape && wanted === by.labels ? { data: wanted.data ?? wanted, shape, dimensions } : wanted;
    values = await given(labels, LABELS, dimensions ?? alone(axes, wanted), { signal });
  }
  const numbers = new Map();
  const of = new Uint32Array(sizeAlong(axes, values.dimensions));
  const found = along(axes, values, LABELS, (place, value) => {
    if (isNothing(value)) {
      of[place] = NONE;
      return;
    }
    if (!numbers.has(value)) numbers.set(value, numbers.size);
    of[place] = numbers.get(value);
  });
  if (numbers.size > MOST) throw refusal(`${what} makes ${numbers.size} groups, and 2^20 are the most`);
  const labels = sorted([...numbers.keys()]);
  const places = new Uint32Array(labels.length);
  labels.forEach((label, nth) => (places[numbers.get(label)] = nth));
  of.forEach((group, place) => (of[place] = group === NONE ? NONE : places[group]));
  return { name, labels, axes: found.axes, strides: found.strides, of };
}

/** Dimensions of a list of labels that names none: the only axis of its length. */
function alone(axes, wanted) {
  const length = wanted?.data?.length ?? wanted?.length;
  const fitting = axes.filter(({ count, length: whole, isDropped }) => !isDropped && (count === length || whole === length));
  return fitting.length === 1 ? [fitting[0].name] : undefined;
}

/** Lengths along several dimensions of a bare list of labels: those of the array, else of what is selected of it. */
function shapeOf(axes, dimensions, { data, get, length }) {
  const own = (dimensions ?? []).map((name) => axes.find((axis) => axis.name === name));
  if (data !== undefined || get !== undefined || own.length < 2 || own.includes(undefined)) return undefined;
  const fitting = (lengths) => lengths.reduce((size, one) => size * one, 1) === length;
  return [own.map((axis) => axis.length), own.map(({ count }) => count)].find(fitting);
}
