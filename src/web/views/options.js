/** Options of showing arrays as regular, checked once, and what they say of an array by its path. */
import { json } from "../common/json-text.js";
import { checkOptions, given, hasFields } from "../common/options.js";

const NUMBERS = ["float16", "float32", "float64", "int8", "int16", "int32", "uint8", "uint16", "uint32"];

/** Placeholder in `dimensions` for all dimensions that are not listed. */
const OTHERS = ["…", "..."];

/** Options of what is shown. */
export const VIEW = "chunkShape as decode attributes geozarr dimensions times zarrFormat cacheBytes";

const isGiven = (value) => value !== undefined && value !== null;

/** Text of a value for a message. */
const told = (value) => (typeof value === "function" ? "a function" : ["number", "undefined"].includes(typeof value) ? value : json(value));

function check(isValid, name, expected, value) {
  if (isValid) return;
  throw new TypeError(`the option ${name} takes ${expected}; got ${told(value)}`);
}

/** Path without slashes around it. */
const bare = (path) => path.replace(/^\/+|\/+$/g, "");

/**
 * Makes a function of an array and its path from an option that is one value for all arrays, an object of values by
 * path, or a function.
 */
function byPath(name, option, isValue, expected) {
  const checked = (value) => (check(!isGiven(value) || isValue(value), name, expected, value), value ?? undefined);
  if (typeof option === "function") return (array, path) => checked(option(array, path));
  if (option === undefined || isValue(option)) return () => option;
  check(hasFields(option), name, `${expected}, an object of these by path, or a function`, option);
  const values = new Map(Object.entries(option).map(([path, value]) => [bare(path), checked(value)]));
  return (_, path) => values.get(path);
}

const isShape = (value) => (Array.isArray(value) || ArrayBuffer.isView(value)) && Array.from(/** @type {any} */ (value)).every((edge) => typeof edge === "number");

/**
 * Chunk shape wished for an array. One list for all arrays of a group is meant for those with as many axes; every other
 * shape has to fit.
 */
function shapes(option) {
  const shapeOf = byPath("chunkShape", option, isShape, "a list of lengths, which are numbers");
  // A length that no axis can have is reported even if no array has so many axes, or none has the path.
  for (const shape of isShape(option) ? [option] : typeof option === "object" ? Object.values(option) : []) {
    const isWrong = shape?.some((edge) => !Number.isSafeInteger(edge) || edge < 1);
    if (isWrong) throw new RangeError(`chunkShape [${shape}] fits no array: expected a positive integer for each axis`);
  }
  return (array, path, isAlone) => {
    const wish = shapeOf(array, path);
    return isShape(option) && !isAlone && wish.length !== array.shape.length ? undefined : wish;
  };
}

function dimensionsOf(list) {
  if (list === undefined) return undefined;
  const expected = 'a list of different names of dimensions, with "…" for all others';
  check(Array.isArray(list) && list.every((name) => typeof name === "string"), "dimensions", expected, list);
  const names = list.map((name) => (OTHERS.includes(name) ? OTHERS[0] : name));
  check(new Set(names).size === names.length, "dimensions", expected, list);
  return names.includes(OTHERS[0]) ? names : [OTHERS[0], ...names];
}

/**
 * Order of an array's axes in the view: axis of the array for each axis of the view; undefined for its own order.
 *
 * @param {string[] | undefined} dimensions checked list with one placeholder
 * @param {{ dimensionNames?: (string | null)[] }} array
 */
export function orderOf(dimensions, { dimensionNames: names }) {
  if (!dimensions || !names) return undefined;
  const listed = dimensions.map((name) => names.indexOf(name));
  const others = names.flatMap((_, axis) => (listed.includes(axis) ? [] : [axis]));
  const order = dimensions.flatMap((name, nth) => (name === OTHERS[0] ? others : listed[nth] >= 0 ? [listed[nth]] : []));
  return order.every((axis, nth) => axis === nth) ? undefined : order;
}

/**
 * Attributes that are shown, changed by the caller's function. It gets a copy, because it may change what it is given.
 *
 * @param {{ attributes?: (path: string, attrs: Record<string, unknown>) => Record<string, unknown> }} options
 * @param {string} path
 * @param {Record<string, unknown>} attrs
 */
export function changedAttrs({ attributes }, path, attrs) {
  const own = structuredClone(attrs);
  if (!attributes) return own;
  const found = attributes(path, own);
  const isPromise = typeof found?.then === "function";
  if (found && typeof found === "object" && !Array.isArray(found) && !isPromise) return found;
  const got = isPromise ? "a promise" : told(found);
  throw new TypeError(`the option attributes returned ${got} for the path "${path}": expected the attributes to show, as an object`);
}

/** @typedef {ReturnType<typeof viewOptions>} ViewOptions */

/**
 * Checks the options. Values that depend on an array are checked when it is shown.
 *
 * @param {object | null | undefined} options
 * @param {string} call name of the call that took them, for messages
 * @param {Pick<Map<string, number[]>, "get" | "set">} [kept] chunk shapes that the readers know already, by path
 */
export function viewOptions(options, call, kept) {
  checkOptions(call, options, VIEW);
  const { chunkShape, as, decode, attributes, geozarr = false, dimensions, times, zarrFormat, cacheBytes } = given(options);
  check([undefined, 2, 3].includes(zarrFormat), "zarrFormat", "2 or 3", zarrFormat);
  check([undefined, "labels"].includes(times), "times", '"labels"', times);
  check(typeof geozarr === "boolean", "geozarr", "true or false", geozarr);
  check(attributes === undefined || typeof attributes === "function", "attributes", "a function of a path and attributes", attributes);
  check(cacheBytes === undefined || (typeof cacheBytes === "number" && cacheBytes >= 0), "cacheBytes", "a number of at least 0", cacheBytes);
  const isType = (value) => NUMBERS.includes(value);
  return {
    chunkShape: shapes(chunkShape),
    as: byPath("as", as, isType, `one of ${NUMBERS.join(", ")}`),
    /** Whether `as` is meant for all arrays of numbers, so that others stay as they are. */
    isAsForAll: isType(as),
    decode: byPath("decode", decode, (value) => value === "cf" || value === false, '"cf" or false'),
    attributes,
    geozarr,
    dimensions: dimensionsOf(dimensions),
    times,
    zarrFormat,
    cacheBytes,
    kept,
  };
}
