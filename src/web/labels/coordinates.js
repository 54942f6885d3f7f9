/** The coordinates of an array: which arrays they are, and what their labels are. */

/**
 * Labels along an axis: keys that order and distance go by, which are numbers, texts, or milliseconds of the calendar. Integers
 * that numbers would round are bigints.
 *
 * @typedef {{ array: any, keys: Float64Array | BigInt64Array | BigUint64Array | (bigint | number)[] | string[], labels: ArrayLike<unknown>, kind: "number" | "text" | "time", single: boolean, isBig?: boolean, calendar?: string }} Labels
 */

/** That labels do not lead to places along an axis. */
export function refusal(axis, name, reason) {
  const error = new Error(`selection on axis ${axis} (${name}): ${reason}`);
  return Object.assign(error, { name: "SelectionError", axis });
}

/** What a promise of an array that may not be there gives: the array, or undefined. */
const found = (opening) =>
  opening.catch((error) => {
    if (error.name !== "NotFoundError") throw error;
  });

/** The array of a name in the group of another, or in the nearest group above. */
async function beside(array, name, fits) {
  const depth = array.path === "" ? 0 : array.path.split("/").length - 1;
  for (let up = 0; up <= depth; up++) {
    const other = await found(array.openBeside(name, up));
    if (other && (await fits(other))) return other;
    other?.free();
  }
}

/**
 * The coordinate of one of an array's axes, or undefined; `misfit` is called with the length of one that has another. What was
 * appended to since it was consolidated is read again.
 */
export function coordinateOf(array, axis, misfit = () => {}) {
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

/** A promise, unless the signal aborts before; the work goes on for others who want it. The signal is left without a listener. */
export function heeding(signal, promise) {
  if (!signal) return promise;
  signal.throwIfAborted();
  let leave;
  const left = new Promise((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave);
  });
  return Promise.race([promise, left]).finally(() => signal.removeEventListener("abort", leave));
}

/**
 * The attributes of the variable in an array's group whose bounds the array are, or undefined. Where no consolidated metadata
 * tell of all variables, it has the name of one of the array's dimensions, or the array's own without `_bnds` or `_bounds`.
 */
async function variableOf(array) {
  // That of one which was opened by its own URL is encoded.
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

/** Those variables' attributes, by the attributes of their bounds: `refresh` gives an array others. */
const variables = new WeakMap();

/** The attributes of the variable whose bounds an array are, which is looked for once, unless the signal aborts before. */
export function boundsOf(array, signal) {
  const { attrs } = array;
  if (!variables.has(attrs)) {
    // Whoever looks first may leave, or free the array, while others wait.
    const held = array.hold();
    const looking = variableOf(held).finally(() => held.free());
    variables.set(attrs, looking);
    looking.catch(() => variables.delete(attrs));
  }
  return heeding(signal, variables.get(attrs));
}

const words = (text) => (typeof text === "string" ? text.split(/\s+/).filter(Boolean) : []);

/** The attributes of the group that an array of a group is in. */
async function attrsAround(group, path) {
  const folder = path.split("/").slice(0, -1).join("/");
  if (folder === group.path) return group.attrs;
  const inside = group.path === "" ? folder : folder.slice(group.path.length + 1);
  const other = await found(group.group(inside));
  const attrs = other?.attrs ?? {};
  other?.free();
  return attrs;
}

/** The coordinates of an array in a group, by their names. */
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

/** The least int64, which timedelta64 has for "not a time". */
const NOT_A_TIME = -(2n ** 63n);

/** The labels of a coordinate of 64-bit integers: as numbers where these hold all of them. */
function integers(array, data) {
  const nothing = /timedelta64|datetime64/.test(array.dtype) ? NOT_A_TIME : undefined;
  const numbers = Float64Array.from(data, (item) => (item === nothing ? NaN : Number(item)));
  const isExact = numbers.every((number) => Number.isNaN(number) || Number.isSafeInteger(number));
  const keys = isExact ? numbers : nothing ? Array.from(data, (item) => (item === nothing ? NaN : item)) : data;
  return { array, keys, labels: isExact ? numbers : data, kind: "number", single: false, isBig: !isExact };
}

/** The labels of a coordinate. */
async function labelsOf(array) {
  if (/datetime64/.test(array.dtype) || / since /i.test(array.attrs.units ?? "")) {
    // Units that are no times, or of no one length, leave numbers.
    const times = await array.decodeTime().catch((error) => {
      if (!["InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
    });
    if (times) {
      const isReal = /standard|gregorian|julian/.test(times.calendar);
      const keys = isReal ? times.data : Float64Array.from(times.labels, (label) => (label ? array.timeSpan(label)[0] : NaN));
      return { array, keys, labels: times.labels, kind: "time", single: false, calendar: times.calendar };
    }
  }
  const { data } = await array.get(null, { decode: "cf" });
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return integers(array, data);
  if (ArrayBuffer.isView(data)) {
    return { array, keys: Float64Array.from(data), labels: data, kind: "number", single: data.BYTES_PER_ELEMENT === 4 && !/int/.test(array.dtype) };
  }
  const texts = Array.from(data, (item) => (item instanceof Uint8Array ? new TextDecoder().decode(item) : String(item)));
  return { array, keys: texts, labels: texts, kind: "text", single: false };
}

/** Labels that were read, by the attributes of the array that they are of: `refresh` gives it others. */
const kept = new WeakMap();

/**
 * The labels along an axis, or undefined where it has none; they are read once. Rejects where there are labels of another
 * length: to select by index then would be to read something else.
 *
 * @returns {Promise<Labels | undefined>}
 */
export function labelsAlong(array, axis) {
  const axes = kept.get(array.attrs) ?? new Map();
  kept.set(array.attrs, axes);
  if (!axes.has(axis)) {
    const reading = (async () => {
      // A handle of its own: the labels are read for all who ask, and the first of them may leave and free the array.
      const held = array.hold();
      try {
        let length;
        const other = await coordinateOf(held, axis, (found) => (length ??= found));
        if (!other && length !== undefined) {
          throw refusal(axis, held.dimensionNames[axis], `the coordinate has ${length} labels, and the axis is ${held.shape[axis]} long; has the array grown? refresh() reads it as it is now`);
        }
        return other && (await labelsOf(other));
      } finally {
        held.free();
      }
    })();
    axes.set(axis, reading);
    reading.catch(() => axes.delete(axis));
  }
  return axes.get(axis);
}
