/** Columns of tables: values of AnnData's encodings and of CF variables, with null where they are missing. */
import { invalidLength, invalidValue, memberOf, missing, shown, unsupported } from "./faults.js";

/** 64-bit integers as numbers where all of them are exact. */
function exact(data) {
  if (!(data instanceof BigInt64Array || data instanceof BigUint64Array)) return data;
  const numbers = Float64Array.from(data, Number);
  return numbers.every(Number.isSafeInteger) ? numbers : data;
}

/** Times of a variable, or undefined where its units are not times. */
async function timesOf(array, selection, signal) {
  if (!/datetime64/.test(array.dtype) && !/ since /i.test(array.attrs.units ?? "")) return undefined;
  try {
    const { data, labels } = await array.decodeTime([selection], { signal });
    return { kind: "time", data, labels };
  } catch (error) {
    if (!["InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
  }
}

/** Values of an array with one axis. */
async function plain(array, selection, signal, decode) {
  if (array.shape.length !== 1) throw invalidLength(array, `expected an array with one axis, got ${array.shape.length} axes`);
  const times = decode && (await timesOf(array, selection, signal));
  if (times) return times;
  const { data } = await array.get([selection], { signal, ...(decode && { decode }) });
  if (array.dtype === "bool" || (decode && array.attrs.dtype === "bool")) return { kind: "boolean", data: Array.from(data, Boolean) };
  if (ArrayBuffer.isView(data)) return { kind: "number", data: exact(data) };
  return { kind: "text", data: Array.from(data, (item) => (item instanceof Uint8Array ? new TextDecoder().decode(item) : item)) };
}

/**
 * A column: `array` has its length, `read` gives its values, `free` releases what it holds.
 *
 * @typedef {{ array: any, read(selection: unknown, signal?: AbortSignal): Promise<any>, free(): void }} Column
 */

/** @returns {Column} a column of one array */
const plainColumn = (array, decode) => ({
  array,
  read: (selection, signal) => plain(array, selection, signal, decode),
  free: () => array.free(),
});

/** @returns {Column} a column of codes, which count the categories; -1 is missing */
const categoricalColumn = (codes, categories, ordered) => ({
  array: codes,
  async read(selection, signal) {
    const [{ data: numbers }, { kind, data: list }] = await Promise.all([codes.get([selection], { signal }), categories.read(null, signal)]);
    const all = Array.from(list);
    const data = Array.from(numbers, (code, nth) => {
      const category = all[Number(code)];
      if (category === undefined && Number(code) !== -1) throw invalidValue(codes.path, selection === null ? nth : undefined, `code ${code} names none of the ${all.length} categories`);
      return category ?? null;
    });
    return { kind: "category", of: kind, data, codes: numbers, categories: all, ordered };
  },
  free() {
    codes.free();
    categories.free();
  },
});

/** @returns {Column} a column of values with a mask, which is true where they are missing */
const nullableColumn = (values, mask) => ({
  array: values,
  async read(selection, signal) {
    if (mask.shape[0] !== values.shape[0]) throw invalidLength(mask, `the mask has ${mask.shape[0]} entries, and there are ${values.shape[0]} values`);
    const [{ kind, data }, { data: masked }] = await Promise.all([plain(values, selection, signal), mask.get([selection], { signal })]);
    return { kind, data: Array.from(data, (item, nth) => (masked[nth] ? null : item)) };
  },
  free() {
    values.free();
    mask.free();
  },
});

/** Columns of encodings that are groups, by their names. */
const ENCODINGS = {
  async categorical(group, signal) {
    const codes = await memberOf(group, "codes", signal);
    return categoricalColumn(codes, await columnIn(group, "categories", { signal }), group.attrs.ordered === true);
  },
  "nullable-integer": nullableIn,
  "nullable-boolean": nullableIn,
  "nullable-string-array": nullableIn,
};

async function nullableIn(group, signal) {
  return nullableColumn(...(await Promise.all(["values", "mask"].map((name) => memberOf(group, name, signal)))));
}

/** Whether an opening failed because there is no such array, or a group in its place. */
const isElsewhere = ({ name }) => name === "NotFoundError" || name === "InvalidMetadataError";

/** Opens the array or the group of a column. */
async function memberIn(group, name, signal) {
  try {
    return { array: await group.array(name, { signal }) };
  } catch (error) {
    if (!isElsewhere(error)) throw error;
    try {
      return { inner: await group.group(name, { signal }) };
    } catch (other) {
      if (!isElsewhere(other)) throw other;
      throw error.name === "NotFoundError" ? missing(group, name, error) : error;
    }
  }
}

/**
 * Opens a column of a group.
 *
 * @param {any} group
 * @param {string} name
 * @param {{ decode?: "cf", signal?: AbortSignal }} options
 * @returns {Promise<Column>}
 */
export async function columnIn(group, name, { decode, signal }) {
  const { array, inner } = await memberIn(group, name, signal);
  if (array) {
    const { categories } = array.attrs;
    if (decode || typeof categories !== "string") return plainColumn(array, decode);
    // Version 0.1 of data frames has categories in a group of their own, which this attribute names.
    const list = await columnIn(group, categories.replace(/^.*(?=__categories\/)/, ""), { signal });
    return categoricalColumn(array, list, list.array.attrs.ordered === true);
  }
  try {
    const encoding = inner.attrs["encoding-type"];
    const open = Object.hasOwn(ENCODINGS, encoding) && ENCODINGS[encoding];
    if (open) return await open(inner, signal);
    const known = Object.keys(ENCODINGS).join(", ");
    throw unsupported(`encoding-type ${encoding}`, `the column ${JSON.stringify(name)} has the encoding ${shown(encoding)}; groups of these encodings are read: ${known}`);
  } finally {
    inner.free();
  }
}
