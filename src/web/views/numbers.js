/** Numbers shown as another type, or decoded by the CF conventions, with the fill value and attributes to match. */
import { documentsOf } from "./documents.js";

const OF_MISSING = ["_FillValue", "missing_value"];
const OF_PACKING = ["scale_factor", "add_offset"];
const OF_RANGE = ["valid_min", "valid_max", "valid_range"];

const utf8 = new TextEncoder();

/** Names of data types by the class of what a read returns. */
const nameOf = (data) => data.constructor.name.replace(/^Big|Array$/g, "").toLowerCase();

const isFloat = (name) => name.startsWith("float");
const isTime = ({ dtype }) => dtype.startsWith("numpy.");

/** Options of the reads: those of a type alone unpack and mask by the attributes, and leave the fill value as it is. */
function readOptions(array, as, decode) {
  if (decode) return { decode, as };
  if (array.attrs._Unsigned === undefined) return isFloat(as) ? { as, mask: "attributes" } : { as };
  return isFloat(as) ? { decode: "cf", as, mask: "attributes" } : { decode: "cf", as, mask: false, scale: false };
}

/**
 * Reads the fill value as the array's items are read, from an array of one item in memory: its type is the type of the
 * result. Undefined where the type cannot hold the fill value.
 */
async function fillRead(array, type, options) {
  const { attrs, zarrFormat } = array;
  /** @type {any} */
  const view = { array: { attrs }, shape: [1], type, chunkShape: [1] };
  const files = Object.entries(documentsOf(view, attrs, zarrFormat)).map(([name, text]) => /** @type {[string, Uint8Array]} */ ([`/${name}`, utf8.encode(text)]));
  const one = await array.constructor.open(new Map(files), { zarrFormat });
  try {
    return (await one.get(null, options)).data;
  } catch (error) {
    if (error?.name !== "RangeError") throw error;
    return undefined;
  } finally {
    one.free();
  }
}

const without = (attrs, names) => Object.fromEntries(Object.entries(attrs).filter(([name]) => !names.includes(name)));

/** Changes the numbers of an attribute, one or a list. */
const each = (value, change) => (Array.isArray(value) ? value.map((one) => each(one, change)) : ["number", "bigint"].includes(typeof value) ? change(value) : value);

/** An integer, as attributes have it: a bigint only beyond 2^53. */
const held = (integer) => (integer > 2n ** 53n || integer < -(2n ** 53n) ? integer : Number(integer));

/** Ranges of valid values, which are stated as packed, as unpacked. */
function unpackedRanges(attrs) {
  const [factor, offset] = [Number(attrs.scale_factor ?? 1), Number(attrs.add_offset ?? 0)];
  const found = { ...attrs };
  for (const name of OF_RANGE) if (name in attrs) found[name] = each(attrs[name], (value) => Number(value) * factor + offset);
  if (factor > 0) return found;
  const { valid_min: least, valid_max: most, valid_range: range } = found;
  const turned = { valid_min: most, valid_max: least, valid_range: Array.isArray(range) ? range.toReversed() : range };
  return { ...without(found, OF_RANGE), ...Object.fromEntries(Object.entries(turned).filter(([, value]) => value !== undefined)) };
}

/** Attributes of integers that are only converted: what marks missing items and what unpacks stays true. */
function convertedAttrs(attrs, name, source, isUnsigned) {
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(name) ?? [];
  const clamped = sign ? BigInt.asUintN : BigInt.asIntN;
  const isHeld = (value) => clamped(Number(bits), value) === value;
  const width = Number(/\d+$/.exec(source)?.[0] ?? 0);
  // `_Unsigned` makes 255 of -1 in eight bits, and "false" makes -1 of 255.
  const meant = (value) => (!isUnsigned ? value : (/true/i.test(attrs._Unsigned) ? BigInt.asUintN : BigInt.asIntN)(width, value));
  const found = isUnsigned ? without(attrs, ["_Unsigned"]) : { ...attrs };
  for (const attribute of OF_MISSING) {
    if (!(attribute in found)) continue;
    const integers = [found[attribute]].flat().filter((value) => typeof value === "bigint" || Number.isInteger(value));
    const values = integers.map((value) => meant(BigInt(value))).filter(isHeld).map(held);
    if (values.length === 0) delete found[attribute];
    else found[attribute] = Array.isArray(found[attribute]) ? values : values[0];
  }
  return found;
}

/**
 * Attributes that hold for the items as they are read with `options`.
 *
 * @param {Record<string, any>} attrs @param {string} name @param {string} source @param {{ decode?: any, scale?: any, mask?: any }} options
 */
function attrsOf(attrs, name, source, { decode, scale, mask }) {
  const isUnsigned = Boolean(decode) && attrs._Unsigned !== undefined;
  if (scale === false || (!decode && !isFloat(name))) return convertedAttrs(attrs, name, source, isUnsigned);
  const isUnpacked = OF_PACKING.some((attribute) => attribute in attrs);
  // xarray's mark of booleans that are stored as int8.
  const isBool = decode && mask === undefined && attrs.dtype === "bool";
  return without(isUnpacked ? unpackedRanges(attrs) : attrs, [...OF_MISSING, ...OF_PACKING, ...(isUnsigned ? ["_Unsigned"] : []), ...(isBool ? ["dtype"] : [])]);
}

/**
 * Type for an array of numbers whose items are read with `as`, `decode` or both.
 *
 * @param {any} array
 * @param {import("./types.js").Shown} type type without these options
 * @param {{ as?: string, decode?: "cf" | false }} wish
 * @returns {Promise<import("./types.js").Shown>}
 */
export async function shownNumbers(array, type, { as, decode: wished }) {
  // Times are decoded by decodeTime, and stay as they are.
  const decode = isTime(array) ? undefined : wished;
  if (!as && !decode) return type;
  const options = readOptions(array, as, decode);
  const found = await fillRead(array, type, options);
  // A read gives booleans as uint8; where some are missing, they are floats.
  const isBool = decode && !as && (array.attrs.dtype === "bool" || (type.name === "bool" && found instanceof Uint8Array));
  const name = isBool ? "bool" : (as ?? nameOf(found));
  const itemBytes = found?.BYTES_PER_ELEMENT ?? Number(/\d+/.exec(name)?.[0]) / 8;
  const isNoTime = isTime(array) && isFloat(name) && type.fill[0] === -(2n ** 63n);
  const fill = isNoTime ? [NaN] : found ? [...found] : [isFloat(name) ? NaN : 0];
  // In v2 the fill value means missing: one that does not fit must not become a value.
  const isFillOpen = type.isFillOpen || !found;
  return { ...type, name, itemBytes, fill, isFillOpen, options, attrsOf: (attrs) => attrsOf(attrs, name, type.name, options) };
}
