/** JSON as the metadata and the text of objects have it: NaN and the infinities as strings, and -0 with its sign. */

const isPlain = (value) => [null, Object.prototype].includes(Object.getPrototypeOf(value));

/** JSON of a number of metadata. Beyond 2^53 it has an exponent: an integer without one is a bigint to this package. */
const digits = (value) => (Math.abs(value) > 2 ** 53 && Number.isFinite(value) ? value.toExponential() : allDigits(value));

/** JSON of a number, with all digits of an integer of 64 bits. */
export function allDigits(value) {
  if (!Number.isFinite(value)) return `"${value}"`;
  if (Object.is(value, -0)) return "-0.0";
  return Number.isInteger(value) && Math.abs(value) <= 2 ** 64 ? String(BigInt(value)) : JSON.stringify(value);
}

/**
 * JSON of a value, with all digits of bigints.
 *
 * @param {unknown} value
 * @param {(value: object) => string | undefined} [other] JSON of an object that is neither a list nor a plain object
 * @param {(value: number) => string} [number] JSON of a number
 * @returns {string}
 */
export function json(value, other = JSON.stringify, number = digits) {
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return `[${value.map((inner) => json(inner, other, number))}]`;
  if (typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (!isPlain(value)) return other(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => !["undefined", "function", "symbol"].includes(typeof inner));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${json(inner, other, number)}`)}}`;
}
