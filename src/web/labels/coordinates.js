/** Coordinates of an array: the coordinate arrays and their labels. */
import { untilAborted } from "../common/until-aborted.js";

/**
 * Labels along an axis, with a key for each: a number, a text, or milliseconds in the calendar. Keys define order and
 * distance. Integers beyond 2^53 are bigints. `unread` says why numbers are no times although their units look like it.
 *
 * @typedef {{ array: any, keys: Float64Array | BigInt64Array | BigUint64Array | (bigint | number)[] | string[], labels: ArrayLike<unknown>, kind: "number" | "text" | "time", single: boolean, isBig?: boolean, calendar?: string, areFine?: boolean, exactKeys?: unknown[], unread?: string }} Labels
 */

/** Error for labels that select nothing on an axis. */
export function refusal(axis, name, reason) {
  const error = new Error(`selection on axis ${axis} (${name}): ${reason}`);
  return Object.assign(error, { name: "SelectionError", axis });
}

/** Result of an opening, or undefined where there is no such array or group. */
const found = (opening) =>
  opening.catch((error) => {
    if (error.name !== "NotFoundError") throw error;
  });

/** Finds an array by name in the group of `array`, or in the nearest group above it. */
async function beside(array, name, fits) {
  const depth = array.path === "" ? 0 : array.path.split("/").length - 1;
  for (let up = 0; up <= depth; up++) {
    const other = await found(array.openBeside(name, up));
    if (other && (await fits(other))) return other;
    other?.free();
  }
}

/**
 * Finds the coordinate of one of an array's axes, or undefined; `misfit` is called with the length of a coordinate that
 * does not fit. A coordinate of another length is refreshed first, in case it grew after consolidation.
 */
function coordinateOf(array, axis, misfit = (/** @type {number} */ _length) => {}) {
  const [name, size] = [array.dimensionNames?.[axis], array.shape[axis]];
  if (typeof name !== "string") return undefined;
  return beside(array, name, async (other) => {
    if (other.shape.length !== 1 || (other.dimensionNames?.[0] ?? name) !== name) return false;
    if (other.shape[0] !== size) await found(other.refresh());
    if (other.shape[0] === size) return true;
    misfit(other.shape[0]);
    return false;
  });
}

/**
 * Finds the variable whose bounds the array holds, and gives its attributes, or undefined. Without consolidated
 * metadata, the candidates are the names of the array's dimensions, and the array's own name without `_bnds` or
 * `_bounds`.
 */
async function variableOf(array) {
  // The name of an array that was opened by its own URL is percent-encoded.
  const name = array.path.split("/").pop() || array.place?.split("/").findLast(Boolean) || "";
  const dimensions = (array.dimensionNames ?? []).filter((dimension) => typeof dimension === "string");
  const shorter = /(.+)_(?:bnds?|bounds?)$/.exec(name)?.[1] ?? [];
  for (const other of new Set([...dimensions, ...array.namesBeside()].concat(shorter))) {
    const variable = other !== name && (await array.openBeside(other, 0).catch((error) => {
      if (!["NotFoundError", "InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
    }));
    if (!variable) continue;
    const { attrs } = variable;
    variable.free();
    if (typeof attrs.bounds === "string" && [attrs.bounds, encodeURIComponent(attrs.bounds)].includes(name)) return attrs;
  }
}

/** Attributes of variables by the attributes of their bounds, which `refresh` replaces. */
const variables = new WeakMap();

/** Attributes of the variable whose bounds an array holds; searched once, and awaited until the signal aborts. */
export function boundsOf(array, signal) {
  const { attrs } = array;
  if (!variables.has(attrs)) {
    // The first caller may abort, or free the array, while others wait.
    const held = array.hold();
    const looking = variableOf(held).finally(() => held.free());
    variables.set(attrs, looking);
    looking.catch(() => variables.delete(attrs));
  }
  return untilAborted(signal, variables.get(attrs));
}

const words = (text) => (typeof text === "string" ? text.split(/\s+/).filter(Boolean) : []);

/** Attributes of the group that directly contains an array. */
async function attrsAround(group, path) {
  const folder = path.split("/").slice(0, -1).join("/");
  if (folder === group.path) return group.attrs;
  const inside = group.path === "" ? folder : folder.slice(group.path.length + 1);
  const other = await found(group.group(inside));
  const attrs = other?.attrs ?? {};
  other?.free();
  return attrs;
}

/** Coordinates of an array in a group, by name. */
export async function coordinatesIn(group, wanted) {
  const array = typeof wanted === "string" ? await group.array(wanted) : wanted;
  const dimensions = (array.dimensionNames ?? []).filter((name) => typeof name === "string");
  const coordinates = {};
  const put = (name, other) => {
    if (other) Object.defineProperty(coordinates, name, { value: other, enumerable: true, configurable: true, writable: true });
  };
  const axes = dimensions.map((name) => array.dimensionNames.indexOf(name));
  const ofAxes = await Promise.all(axes.map((axis) => coordinateOf(array, axis)));
  ofAxes.forEach((other, i) => put(dimensions[i], other));
  const own = words(array.attrs.coordinates);
  const isBelow = group.path === "" || array.path.startsWith(`${group.path}/`);
  const shared = isBelow ? words((await attrsAround(group, array.path)).coordinates) : [];
  const others = [...new Set([...own, ...shared])].filter((name) => !dimensions.includes(name));
  const opened = await Promise.all(
    others.map((name) =>
      beside(array, name, (other) => own.includes(name) || (other.dimensionNames ?? []).every((dimension) => dimensions.includes(dimension))),
    ),
  );
  opened.forEach((other, i) => put(others[i], other));
  if (array !== wanted) array.free();
  return coordinates;
}

/** Smallest int64, which means NaT ("not a time"). */
const NOT_A_TIME = -(2n ** 63n);

/** Labels of a coordinate of 64-bit integers: as numbers where these are exact. @returns {Labels} */
function integers(array, data) {
  const nothing = /timedelta64|datetime64/.test(array.dtype) ? NOT_A_TIME : undefined;
  const numbers = Float64Array.from(data, (item) => (item === nothing ? NaN : Number(item)));
  const isExact = numbers.every((number) => Number.isNaN(number) || Number.isSafeInteger(number));
  const keys = isExact ? numbers : nothing ? Array.from(data, (item) => (item === nothing ? NaN : item)) : data;
  return { array, keys, labels: isExact ? numbers : data, kind: "number", single: false, isBig: !isExact };
}

/** Reads the labels of a coordinate. @returns {Promise<Labels>} */
async function labelsOf(array) {
  /** @type {string | undefined} */
  let unread;
  if (/datetime64/.test(array.dtype) || / since /i.test(array.attrs.units ?? "")) {
    // Labels stay numbers where the units are not times, or have no fixed length.
    const times = await array.decodeTime().catch((error) => {
      if (!["InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
      unread = error.message;
    });
    if (times) {
      const isReal = /standard|gregorian|julian/.test(times.calendar);
      const keys = isReal ? times.data : Float64Array.from(times.labels, (label) => (label ? array.timeSpan(label)[0] : NaN));
      return { array, keys, labels: times.labels, kind: "time", single: false, calendar: times.calendar };
    }
  }
  const { data } = await array.get(null, { decode: "cf" });
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return { ...integers(array, data), unread };
  if (ArrayBuffer.isView(data)) {
    const numbers = /** @type {Float64Array} */ (data);
    return { array, keys: Float64Array.from(numbers), labels: numbers, kind: "number", single: numbers.BYTES_PER_ELEMENT === 4 && !/int/.test(array.dtype), unread };
  }
  const texts = Array.from(data, (item) => (item instanceof Uint8Array ? new TextDecoder().decode(item) : String(item)));
  return { array, keys: texts, labels: texts, kind: "text", single: false };
}

/** Coordinates along the axes of arrays, by the attributes of their array, which `refresh` replaces. */
const coordinates = new WeakMap();

/** Labels that were read, by the same. */
const read = new WeakMap();

/** Result of `make` for an axis, made once; a failure is tried again by the next call. */
function once(kept, array, axis, make) {
  const axes = kept.get(array.attrs) ?? new Map();
  kept.set(array.attrs, axes);
  if (!axes.has(axis)) {
    // The work has a handle of its own, because the first caller may abort and free the array while others wait.
    const held = array.hold();
    const making = make(held).finally(() => held.free());
    axes.set(axis, making);
    making.catch(() => axes.delete(axis));
  }
  return axes.get(axis);
}

/** Coordinate of an axis, or undefined. Rejects where the coordinate has another length than the axis. */
function coordinateAlong(array, axis) {
  return once(coordinates, array, axis, async (held) => {
    let length;
    const other = await coordinateOf(held, axis, (found) => (length ??= found));
    if (!other && length !== undefined) {
      throw refusal(axis, held.dimensionNames[axis], `the coordinate has ${length} labels, and the axis has length ${held.shape[axis]}; if the array has grown, call refresh()`);
    }
    return other;
  });
}

/**
 * Labels along an axis, or undefined where it has no coordinate; they are read once. Rejects where the coordinate has
 * another length, because selecting by index in its place would read other data.
 *
 * @returns {Promise<Labels | undefined>}
 */
export function labelsAlong(array, axis) {
  return once(read, array, axis, async (held) => {
    const join = held.joined();
    if (join) return joinedLabels(held, axis, join);
    const other = await coordinateAlong(held, axis);
    return other && labelsOf(other);
  });
}

/** One list of several, typed where all are of one type. @param {any[]} lists */
function listed(lists) {
  const { constructor } = lists[0];
  if (!ArrayBuffer.isView(lists[0]) || lists.some((list) => list.constructor !== constructor)) return lists.flatMap((list) => Array.from(list));
  const all = new /** @type {any} */ (constructor)(lists.reduce((sum, { length }) => sum + length, 0));
  lists.reduce((at, list) => (all.set(list, at), at + list.length), 0);
  return all;
}

const areEqual = (keys, others) => keys.length === others.length && Array.prototype.every.call(keys, (key, i) => Object.is(key, others[i]) || key === others[i]);

/**
 * Labels along an axis of a joined array: along the axis where its parts lie end to end, theirs one after the other; along
 * the others those of all of them, which must be equal. Times of files that count from different days are times all the same.
 */
async function joinedLabels(array, axis, join) {
  const parts = join.parts.map((part) => part.hold());
  try {
    return await labelsOfParts(array, axis, join, parts);
  } finally {
    for (const part of parts) part.free();
  }
}

async function labelsOfParts(array, axis, join, parts) {
  if (join.isStale) await Promise.all(parts.map((part) => part.refresh()));
  join.isStale = false;
  const name = array.dimensionNames?.[axis];
  const given = typeof join.axis === "string" ? array.dimensionNames.indexOf(join.axis) : Number(join.axis);
  const along = given < 0 ? given + array.shape.length : given;
  // An array of length 0 has no part in the joined one.
  const some = parts.map((part, nth) => ({ part, nth })).filter(({ part }) => part.shape[along] > 0);
  /** @type {(Labels | undefined)[]} */
  const found = await Promise.all(some.map(({ part }) => labelsAlong(part, axis)));
  const [first] = found;
  if (found.every((one) => one === undefined)) return undefined;
  const refuse = (place, reason) => {
    throw refusal(axis, name, `array ${some[place].nth} of concat ${reason}; select by integers`);
  };
  found.forEach((one, nth) => {
    if (!one || !first) return refuse(found.findIndex((other) => !other), "has no coordinate there, and others have one");
    const isAlike = one.kind === first.kind && one.calendar === first.calendar && one.isBig === first.isBig && one.single === first.single;
    if (!isAlike) refuse(nth, "has labels of another kind or calendar than the first");
  });
  const all = /** @type {Labels[]} */ (found);
  // Numbers that count from different dates have no order among each other.
  const stranger = all.findIndex(({ unread, array }) => unread && array.attrs.units !== all[0].array.attrs.units);
  if (stranger > 0) refuse(stranger, `has times that are not read: ${all[stranger].unread}`);
  if (axis !== along) {
    const other = all.findIndex(({ keys }) => !areEqual(keys, all[0].keys));
    if (other > 0) refuse(other, "has other labels there than the first");
    return all[0];
  }
  return { ...all[0], keys: listed(all.map(({ keys }) => keys)), labels: listed(all.map(({ labels }) => labels)), areFine: undefined, exactKeys: undefined };
}

/** Most chunks of a coordinate, each with a request of its own, that are read for labels which nobody asked for. */
const MOST_CHUNKS = 64;

/** Axes whose labels could not be brought along, by the attributes of their array: they are not asked for again. */
const missed = new WeakMap();

/**
 * Labels of an axis that no label was asked of; undefined where it has none, where they cannot be read, or where they
 * are in too many chunks. Those that a query has read already are there in any case.
 */
export async function broughtAlong(array, axis) {
  const { attrs } = array;
  const isRead = read.get(attrs)?.has(axis);
  if (!isRead && missed.get(attrs)?.has(axis)) return undefined;
  try {
    if (!isRead && array.joined()?.parts.length > MOST_CHUNKS) return undefined;
    const other = isRead ? undefined : await coordinateAlong(array, axis);
    if (other?.chunkGrid.shape[0] > MOST_CHUNKS) return undefined;
    const labels = await labelsAlong(array, axis);
    return labels?.unread ? undefined : labels?.labels;
  } catch {
    missed.set(attrs, (missed.get(attrs) ?? new Set()).add(axis));
    return undefined;
  }
}
