/**
 * Options of calls, by their names. A name that a call does not know is an error: it is misspelt, or of another library,
 * and would have no effect. `tests/types/options.test.mjs` compares the lists with the types.
 */

/** Options of `open`. */
export const OPEN =
  "path zarrFormat format branch tag snapshot containers resolveUrl fetch headers redirect credentials missingStatuses concurrency retries timeout coalesceGap coalesceMax workers persist proposals codecs onRequest access signal cacheBytes maxChunkBytes attrs";

/** Options of reads. */
export const READ = "int64 as decode mask scale minmax out texture fields order signal onProgress";

/** Options of `sel`. */
export const SEL = `${READ} method tolerance wrap coordinates`;

const MEMBER = "signal cacheBytes maxChunkBytes attrs";

/** Options of the methods of arrays and groups; they are the last argument of each. */
export const METHODS = {
  get: READ,
  getPoints: READ,
  getChunk: `${READ} grid`,
  openStream: READ,
  prefetch: READ,
  decodeTime: "signal onProgress order",
  getEncoded: "signal copy",
  refresh: "signal",
  array: MEMBER,
  group: MEMBER,
};

/** Options of options. */
const INNER = { scale: "factor offset", texture: "format rowAlignment range" };

/**
 * Whether an object holds fields by name. A `Map`, a `Set`, a date, a promise or a list of another language does not, and
 * would be read as `{}`.
 */
export function hasFields(value) {
  if (typeof value !== "object" || value === null || Symbol.iterator in value) return false;
  // The prototype of plain objects, of every realm, has no prototype itself.
  const above = Object.getPrototypeOf(value);
  return above === null || Object.getPrototypeOf(above) === null || Reflect.ownKeys(value).some((key) => typeof key === "string");
}

/** Options without those that are absent, which are undefined or null, as in all calls of the package. */
export const given = (options) => Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null));

/** Error for an option that a call does not have. */
function unknown(call, name, known) {
  const meant = known.find((other) => other.toLowerCase() === name.toLowerCase());
  const isOfOpen = OPEN.split(" ").includes(name) ? ", which is an option of open" : "";
  return new TypeError(`${call} has no option ${name}${meant ? `; did you mean ${meant}?` : `${isOfOpen}; it has ${known.join(", ")}`}`);
}

/**
 * Checks that an argument is an object of options that a call has. `undefined` and `null` count as absent.
 *
 * @param {string} call name of the call, for messages
 * @param {unknown} options
 * @param {string} list names, separated by spaces
 */
export function checkOptions(call, options, list) {
  if (options === undefined || options === null) return;
  if (!hasFields(options)) {
    throw new TypeError(`the options of ${call} must be a plain object with fields of its own, not ${Object.prototype.toString.call(options)}`);
  }
  const known = list.split(" ");
  for (const name in options) {
    const value = options[name];
    // A page may have added names to all objects.
    if (value === undefined || value === null || name in Object.prototype) continue;
    if (!known.includes(name)) throw unknown(call, name, known);
    if (name in INNER && typeof value === "object") checkOptions(name, value, INNER[name]);
  }
}

/** Makes the methods of a class that return promises refuse unknown options. */
export function checkingOptions(opened) {
  for (const [method, known] of Object.entries(METHODS)) {
    const call = opened.prototype[method];
    if (!call) continue;
    const [name, at] = [method === "openStream" ? "stream" : method, method === "refresh" ? 0 : 1];
    opened.prototype[method] = function (...all) {
      try {
        checkOptions(name, all[at], known);
        return call.apply(this, all);
      } catch (error) {
        return Promise.reject(error);
      }
    };
  }
}
