/** Sparse matrices: groups of `indptr`, `indices` and `data`, as AnnData writes them. */
import { readRuns, sizeOf } from "./compressed.js";
import { runsOf } from "./index-runs.js";
import { checkOptions } from "../common/options.js";
import { Pointers } from "./pointers.js";
import { checkGroup, invalidAttribute, invalidLength, invalidType, memberOf, misfit, nameOf, shown, unsupported } from "./faults.js";

/** Formats by the attribute `encoding-type`. */
const FORMATS = { csr_matrix: "csr", csc_matrix: "csc" };

/** Options of reads. */
const READS = "as maxBytes onProgress int64 signal";

const AXES = ["rows", "columns"];

/** Names of the arrays of a matrix. */
const ARRAYS = ["indptr", "indices", "data"];

const pointersOf = ({ indptr, data }) => new Pointers(indptr, indptr.path, data.shape[0]);

/** A sparse matrix whose elements are read where they are needed. */
class SparseMatrix {
  /** @param {any} parts arrays, pointers and properties */
  #parts;

  constructor(parts) {
    this.#parts = parts;
  }

  get format() {
    return this.#parts.format;
  }

  /** @returns {[number, number]} */
  get shape() {
    const [rows, columns] = this.#parts.shape;
    return [rows, columns];
  }

  get dtype() {
    return this.#parts.data.dtype;
  }

  get path() {
    return this.#parts.path;
  }

  /** Calls `work` with handles of its own on the arrays, so that `free()` in between does not break it. */
  async #holding(work) {
    const arrays = ARRAYS.map((name) => [name, this.#parts[name].hold()]);
    try {
      const held = { ...this.#parts, ...Object.fromEntries(arrays) };
      return await work({ ...held, pointers: pointersOf(held) });
    } finally {
      for (const [, array] of arrays) array.free();
    }
  }

  /** Reads a selection along an axis. */
  async #read(axis, selection, given) {
    checkOptions("a read of a sparse matrix", given, READS);
    const options = given ?? {};
    const { major, shape } = this.#parts;
    const runs = runsOf(selection, shape[axis], axis);
    const found = await this.#holding(async (parts) => {
      const read = axis === major ? readRuns : (await import("./scan.js")).readAcross;
      return read(parts, runs, options);
    });
    return { ...found, shape: shape.map((length, at) => (at === axis ? runs.count : length)) };
  }

  async rows(selection, options) {
    return this.#read(0, selection, options);
  }

  async columns(selection, options) {
    return this.#read(1, selection, options);
  }

  /** Reads one row or column. */
  async #one(axis, index, options) {
    if (!Number.isInteger(index)) throw misfit(axis, `expected an integer, got ${shown(index)}`);
    const { indices, data } = await this.#read(axis, index, options);
    return { indices, data };
  }

  async row(index, options) {
    return this.#one(0, index, options);
  }

  async column(index, options) {
    return this.#one(1, index, options);
  }

  async size(selection, given) {
    checkOptions("size", given, READS);
    const options = given ?? {};
    const { major, shape } = this.#parts;
    const runs = runsOf(selection, shape[major], major);
    return this.#holding((parts) => sizeOf(parts, runs, options));
  }

  async toDense(options) {
    checkOptions("toDense", options, `${READS} out`);
    return this.#holding(async (parts) => (await import("./scan.js")).readDense(parts, options ?? {}));
  }

  free() {
    for (const name of ARRAYS) this.#parts[name].free();
  }
}

if (Symbol.dispose) SparseMatrix.prototype[Symbol.dispose] = SparseMatrix.prototype.free;

/** Length of an axis; undefined for no length. Features that are hashed may be more than 2^53, which attributes have as bigints. */
function lengthOf(value) {
  const isLength = typeof value === "bigint" ? Number.isFinite(Number(value)) : Number.isSafeInteger(value);
  return isLength && value >= 0 ? Number(value) : undefined;
}

/** Format and shape of a group, from its attributes unless the caller knows them. */
function described(group, { format, shape }) {
  const { attrs } = group;
  if (format !== undefined && !Object.values(FORMATS).includes(format)) throw new TypeError(`the option format is "csr" or "csc", not ${shown(format)}`);
  const encoding = attrs["encoding-type"];
  const found = format ?? (Object.hasOwn(FORMATS, encoding) ? FORMATS[encoding] : undefined);
  if (!found) {
    const hint = "of a group without this attribute, pass the options format and shape";
    throw invalidAttribute(group, "encoding-type", `${nameOf(group)} is no sparse matrix: expected "csr_matrix" or "csc_matrix", got ${shown(encoding)}; ${hint}`);
  }
  const stated = shape ?? attrs.shape;
  const lengths = Array.isArray(stated) ? stated.map(lengthOf) : [];
  const isShape = lengths.length === 2 && !lengths.includes(undefined);
  if (!isShape && shape !== undefined) throw new TypeError(`the option shape is a list of two lengths, not ${shown(shape)}`);
  if (!isShape) throw invalidAttribute(group, "shape", `expected a list of two lengths, got ${shown(stated)}`);
  return { format: found, shape: lengths };
}

/** Checks that three arrays are those of a matrix. */
function check({ indptr, indices, data }, length, majorName) {
  for (const array of [indptr, indices, data]) {
    if (array.shape.length !== 1) throw invalidLength(array, `expected an array with one axis, got the shape ${shown(array.shape)}`);
  }
  for (const array of [indptr, indices]) {
    if (!/^u?int\d+$/.test(array.dtype)) throw invalidType(array, `expected integers, got ${array.dtype}`);
  }
  if (!/^(bool|u?int\d+|b?float\d+)/.test(data.dtype)) throw unsupported(`sparse ${data.dtype}`, `a sparse matrix of ${data.dtype} is not supported; its arrays can be read by themselves`);
  if (indptr.shape[0] !== length + 1) throw invalidLength(indptr, `${length} ${majorName} have ${length + 1} pointers, not ${indptr.shape[0]}`);
  if (indices.shape[0] !== data.shape[0]) throw invalidLength(indices, `there are ${indices.shape[0]} indices and ${data.shape[0]} items of data`);
}

/** Implements `sparse`. @param {any} group @param {string} [path] @param {any} [given] */
export async function openMatrix(group, path = "", given = undefined) {
  checkOptions("sparse", given, "format shape signal");
  const options = given ?? {};
  checkGroup(group, "sparse");
  const { signal } = options;
  const own = await group.group(path, { signal });
  try {
    const { format, shape } = described(own, options);
    const [indptr, indices, data] = await Promise.all(ARRAYS.map((name) => memberOf(own, name, signal)));
    const major = format === "csr" ? 0 : 1;
    const [majorName, minorName] = [AXES[major], AXES[1 - major]];
    check({ indptr, indices, data }, shape[major], majorName);
    const names = { path: own.path, name: nameOf(own), majorName, minorName };
    return new SparseMatrix({ ...names, format, shape, major, minor: shape[1 - major], indptr, indices, data });
  } finally {
    own.free();
  }
}
