/** Errors of sparse matrices, ragged arrays and tables, and the places in a store that they name. */
import { json } from "../common/json-text.js";

/** An error of the package's contract: told apart by its name, with fields that say where. */
const named = (name, message, fields, options) => Object.assign(new Error(message, options), { name, ...fields });

/** Error for an index or a selection that does not fit an axis. */
export const misfit = (axis, reason) => named("SelectionError", `selection on axis ${axis}: ${reason}`, { axis });

/** Error for what this version cannot read. */
export const unsupported = (feature, reason) => named("UnsupportedError", reason, { feature });

/** Error for metadata that a read depends on. `path` is a JSON pointer into the document under `key`. */
const invalid = (key, path, reason, options) =>
  named("InvalidMetadataError", `invalid Zarr metadata in ${key}${path && ` at ${path}`}: ${reason}`, { key, path }, options);

/** Error for a value of an array: `key` is the path of the array, and the pointer leads to the value, if its index is known. */
export function invalidValue(place, index, reason, options) {
  const path = index === undefined ? "" : `/${index}`;
  return named("InvalidMetadataError", `invalid value in ${place}${path && ` at ${path}`}: ${reason}`, { key: place, path }, options);
}

const below = (path, name) => (path === "" ? name : `${path}/${name}`);

/** Error for an attribute of a group or an array. */
export function invalidAttribute(node, name, reason) {
  const [key, parent] = node.zarrFormat === 2 ? [".zattrs", ""] : ["zarr.json", "/attributes"];
  return invalid(below(node.path, key), `${parent}/${name}`, reason);
}

/** Error for the length of an array. */
export const invalidLength = (array, reason) =>
  invalid(below(array.path, array.zarrFormat === 2 ? ".zarray" : "zarr.json"), "/shape/0", reason);

/** Error for the data type of an array. */
export function invalidType(array, reason) {
  const [key, path] = array.zarrFormat === 2 ? [".zarray", "/dtype"] : ["zarr.json", "/data_type"];
  return invalid(below(array.path, key), path, reason);
}

/** Text of a value in a message. */
export const shown = (value) => (["undefined", "function", "symbol"].includes(typeof value) ? String(value) : json(value));

/** Name of a group or an array in a message. */
export const nameOf = ({ path }) => JSON.stringify(path || "/");

/** Error for a member that a group lacks. */
export function missing(group, name, cause) {
  const key = below(group.path, group.zarrFormat === 2 ? ".zgroup" : "zarr.json");
  return invalid(key, "", `the group has no member ${shown(name)}`, { cause });
}

/** Opens an array in a group; its absence is a fault of the group. */
export async function memberOf(group, name, signal) {
  try {
    return await group.array(name, { signal });
  } catch (cause) {
    throw cause.name === "NotFoundError" ? missing(group, name, cause) : cause;
  }
}

/** Checks the first argument of an entry's function. */
export function checkGroup(group, caller) {
  if (typeof group?.group === "function" && typeof group.tree === "function") return;
  throw new TypeError(`${caller} expects an opened Group as its first argument; was its open awaited?`);
}

/** Checks that a call stays within its bound of bytes. */
export function checkBytes(bytes, maxBytes, what, remedy) {
  if (typeof maxBytes !== "number" || Number.isNaN(maxBytes)) throw new TypeError("the option maxBytes is a number of bytes");
  if (bytes <= maxBytes) return;
  throw new RangeError(`${what} takes ${bytes} bytes, more than maxBytes: ${maxBytes}; ${remedy}`);
}
