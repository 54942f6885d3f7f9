/** Tables by column: AnnData's data frames, and CF variables along one dimension. */
import { columnIn } from "./columns.js";
import { checkOptions } from "../common/options.js";
import { checkGroup, invalidAttribute, invalidLength, misfit, nameOf, shown, unsupported } from "./faults.js";

/** A table whose columns are read where they are needed. */
class Table {
  #parts;

  constructor(parts) {
    this.#parts = parts;
  }

  get names() {
    return [...this.#parts.names];
  }

  get length() {
    return this.#parts.length;
  }

  get path() {
    return this.#parts.group.path;
  }

  /** Reads a column of the group. @param {string} name @param {any} selection @param {{ signal?: AbortSignal }} [options] */
  async #read(name, selection, { signal } = {}) {
    const { length, decode } = this.#parts;
    signal?.throwIfAborted();
    // A handle of its own, so that `free()` in between does not break the read.
    const group = this.#parts.group.hold();
    let column;
    try {
      column = await columnIn(group, name, { decode, signal });
      const [own] = column.array.shape;
      if (own !== length) throw invalidLength(column.array, `the column has ${own} rows, and the table ${length}`);
      return await column.read(selection, signal);
    } finally {
      column?.free();
      group.free();
    }
  }

  async column(name, selection = null, options = undefined) {
    checkOptions("column", options, "signal");
    const { names } = this.#parts;
    if (!names.includes(name)) throw misfit(undefined, `there is no column ${shown(name)}; the columns are ${names.join(", ")}`);
    return this.#read(name, selection, options);
  }

  async index(selection = null, options = undefined) {
    checkOptions("index", options, "signal");
    const { indexName } = this.#parts;
    return indexName === undefined ? undefined : this.#read(indexName, selection, options);
  }

  free() {
    this.#parts.group.free();
  }
}

if (Symbol.dispose) Table.prototype[Symbol.dispose] = Table.prototype.free;

/** Names and length of an AnnData data frame. */
async function frameOf(group, signal) {
  const { attrs } = group;
  const names = attrs["column-order"];
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) throw invalidAttribute(group, "column-order", `expected a list of names, got ${shown(names)}`);
  const indexName = attrs._index;
  if (typeof indexName !== "string") throw invalidAttribute(group, "_index", `expected the name of the index, got ${shown(indexName)}`);
  const index = await columnIn(group, indexName, { signal });
  const [length] = index.array.shape;
  index.free();
  return { names, indexName, length };
}

/** Names and length of the variables along one dimension of a CF data set. */
async function pointsOf(group, dimension, signal) {
  const unlisted = (cause) => {
    signal?.throwIfAborted();
    throw Object.assign(unsupported("tables of groups that are not consolidated", `the metadata of ${nameOf(group)} are not consolidated, and its store does not list its arrays: ${cause.message}`), { cause });
  };
  const tree = group.tree() ?? (await group.members({ signal }).catch(unlisted));
  const vectors = tree.filter(({ path, kind, shape, dimensionNames }) => kind === "array" && !path.includes("/") && shape?.length === 1 && dimensionNames?.[0]);
  const dimensions = [...new Set(vectors.map(({ dimensionNames }) => dimensionNames[0]))];
  const own = dimension ?? (dimensions.length === 1 ? dimensions[0] : undefined);
  const known = dimensions.length > 0 ? `arrays with one axis have the dimensions ${dimensions.join(", ")}` : "no array has one axis with a name";
  if (own === undefined) throw unsupported("tables of several dimensions", `${nameOf(group)} is no data frame, and ${known}; pass the option dimension`);
  const columns = vectors.filter(({ dimensionNames }) => dimensionNames[0] === own);
  if (columns.length === 0) throw misfit(undefined, `no array lies along ${shown(own)}; ${known}`);
  const names = columns.map(({ path }) => path);
  const identity = columns.find(({ attrs }) => typeof attrs.cf_role === "string")?.path;
  return { names, indexName: names.includes(own) ? own : identity, length: columns[0].shape[0], decode: "cf" };
}

/** Implements `table`. @param {any} group @param {string} [path] @param {any} [options] */
export async function openTable(group, path = "", options = undefined) {
  checkOptions("table", options, "dimension signal");
  const { dimension, signal } = options ?? {};
  checkGroup(group, "table");
  const own = await group.group(path, { signal });
  try {
    const isFrame = own.attrs["encoding-type"] === "dataframe";
    return new Table({ group: own, ...(isFrame ? await frameOf(own, signal) : await pointsOf(own, dimension, signal)) });
  } catch (error) {
    own.free();
    throw error;
  }
}
