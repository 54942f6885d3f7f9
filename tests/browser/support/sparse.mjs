/** Fixtures of sparse matrices, tables and ragged arrays, and stores of small ones that a test makes. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { diskStore } from "./disk.mjs";
import { NEIGHBOURS, PACKAGE } from "./paths.mjs";

export const { Group, RectilinearArray, slice } = await import(join(PACKAGE, "node.js"));
export const { ragged, sparse, table } = await import(join(PACKAGE, "sparse.js"));
/** A class of the source, which no entry exports. */
export { Spans } from "../../../src/web/sparse/spans.js";

export const SETS = join(NEIGHBOURS, "sparse");

/** Values that anndata, scipy, pandas and xarray read of the fixtures. */
export const expected = JSON.parse(await readFile(join(SETS, "expected.json"), "utf8"));

/** Opens a fixture; `keys` lists what was requested. */
export async function opened(name, { changed, sets = SETS, ...options } = {}) {
  const store = diskStore(join(sets, name), changed);
  return { group: await Group.open(store, options), keys: store.keys };
}

/** A selection that `expected.json` describes. */
export const selectionOf = (selection) => (Array.isArray(selection.slice) ? slice(...selection.slice) : selection);

/** A result with lists in place of typed arrays. */
export const plain = ({ indptr, indices, data, shape }) => ({ indptr: [...indptr], indices: [...indices], data: [...data], shape });

const TYPES = { float32: Float32Array, float64: Float64Array, int32: Int32Array, int64: BigInt64Array, uint8: Uint8Array };

/** Values of a store: an array with one axis, as a document and uncompressed chunks, by default one. */
export function vector(path, dtype, items, { attributes = {}, dimension, length = items.length, chunk = Math.max(1, length) } = {}) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [length],
    data_type: dtype,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [chunk] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", ...(dtype !== "uint8" && { configuration: { endian: "little" } }) }],
    attributes,
    ...(dimension && { dimension_names: [dimension] }),
  };
  const typed = new TYPES[dtype](Math.ceil(items.length / chunk) * chunk);
  typed.set(dtype === "int64" ? Array.from(items, BigInt) : items);
  const chunks = Array.from({ length: typed.length / chunk }, (_, nth) => [`/${path}/c/${nth}`, new Uint8Array(typed.slice(nth * chunk, nth * chunk + chunk).buffer)]);
  return { [`/${path}/zarr.json`]: JSON.stringify(document), ...Object.fromEntries(chunks) };
}

/** The document of a group. */
export const groupOf = (path, attributes = {}) => ({ [`${path && "/"}${path}/zarr.json`]: JSON.stringify({ zarr_format: 3, node_type: "group", attributes }) });

/** Opens a group of such values. */
export async function made(...values) {
  const store = diskStore("/nowhere", Object.assign({ "/zarr.json": groupOf("")["/zarr.json"] }, ...values));
  return Group.open(store);
}
