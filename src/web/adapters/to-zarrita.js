/** Arrays as zarrita's own `Array`, whose chunks are read here, without a store or codecs of zarrita's. */

import { ItemArray } from "./item-array.js";
import { asRegularStore } from "./regular-store.js";
import { itemBytesOf, shownAs } from "../views/types.js";
import { attrsShown } from "../views/nodes.js";
import { failure } from "../stores/common.js";
import { viewOf } from "../views/by-options.js";
import { changedAttrs, viewOptions } from "../views/options.js";

/** Description of zarrita's symbol for the property that holds the class of its results. */
const CONTEXT = "zarrita.context";

/** zarrita's data type for any value. */
const OBJECT = "v2:object";

/** @typedef {import("../views/types.js").Shown & { Elements?: any }} HeldType */

/**
 * Type that zarrita holds the items as; for items of several elements, with the class of the elements.
 *
 * @returns {HeldType}
 */
function heldAs(array) {
  const { dtype, fields, fillValue, itemShape } = array;
  if (fields) {
    const each = itemBytesOf(array);
    return { name: dtype, each, itemBytes: each, fill: [...(fillValue ?? new Uint8Array(each))], dataOf: (data) => data, Elements: Uint8Array };
  }
  if ([OBJECT, "bytes", "variable_length_bytes"].includes(dtype) || itemShape?.[0] === null) {
    return { name: OBJECT, each: 1, itemBytes: 16, fill: [fillValue ?? null], dataOf: (data) => data };
  }
  const type = shownAs(array);
  if (type.name === "complex64") return { ...type, Elements: Float32Array };
  if (type.name === "complex128") return { ...type, Elements: Float64Array };
  return type.name.startsWith("r") ? { ...type, Elements: Uint8Array } : type;
}

/** Store of the zarrita array; empty for a data type that a regular store cannot show. */
function storeOf(array, options) {
  try {
    return asRegularStore(array, { ...options, zarrFormat: 3 });
  } catch (error) {
    if (error?.name !== "UnsupportedError") throw error;
    return new Map();
  }
}

/**
 * Converts a chunk's data to zarrita's array classes.
 *
 * @param {any} zarr
 * @param {any} data
 * @param {HeldType} type
 * @param {boolean} isShared
 */
function held(zarr, data, { name, each, Elements }, isShared) {
  /** @type {boolean} */
  const isItems = ArrayBuffer.isView(data);
  if (!isItems) return data;
  const { buffer, byteOffset } = isShared ? sharedCopy(data) : data;
  if (name === "bool") return new zarr.BoolArray(buffer, byteOffset, data.length);
  if (Elements) return new ItemArray(Elements, each, buffer, byteOffset, data.length / each);
  return isShared ? new data.constructor(buffer) : data;
}

function sharedCopy(data) {
  const copy = new data.constructor(new SharedArrayBuffer(data.byteLength));
  copy.set(data);
  return copy;
}

/** Properties to override in a zarrita array, for items of several elements. @param {any} base @param {HeldType} type */
function overridesOf(base, { name, each, fill, Elements }) {
  const symbol = Object.getOwnPropertySymbols(base).find(({ description }) => description === CONTEXT);
  if (!symbol) {
    const message = `this version of zarrita does not support arrays of ${name}; use zarrita 0.7, or read with get()`;
    throw failure("UnsupportedError", message, { feature: name });
  }
  const fillValue = Elements.from(fill);
  const context = { ...base[symbol], TypedArray: ItemArray.bind(null, Elements, each), fillValue };
  return { [symbol]: context, dtype: name, fillValue, is: (query) => query === name };
}

/** Converts an opened array to a zarrita array. */
export async function toZarrita(zarr, array, options) {
  if (typeof zarr?.extendArray !== "function" || typeof zarr.defineArrayExtension !== "function") {
    const message = "toZarrita needs zarrita 0.7 or later, which has extendArray; with an older zarrita, open the store of asRegularStore";
    throw failure("UnsupportedError", message, { feature: "zarrita before 0.7" });
  }
  const checked = viewOptions(options, "toZarrita");
  const view = await viewOf(array, "", checked, { isAlone: true, typeOf: heldAs });
  const { chunkShape, dimensionNames, shape, type } = view;
  const { name, fill, Elements } = /** @type {HeldType} */ (type);
  const base = new zarr.Array(storeOf(array, { ...options, chunkShape }), "/", {
    zarr_format: 3,
    node_type: "array",
    shape: [...shape],
    data_type: Elements ? "uint8" : name,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: name === "bool" ? fill[0] !== 0 : fill[0],
    codecs: [],
    dimension_names: dimensionNames,
    attributes: changedAttrs(checked, "", attrsShown(view)),
  });
  const stride = chunkShape.map((_, axis) => chunkShape.slice(axis + 1).reduce((items, edge) => items * edge, 1));
  const overrides = {
    ...(Elements && overridesOf(base, type)),
    /** @param {number[]} coords @param {{ signal?: AbortSignal }} [options] @param {{ useSharedArrayBuffer?: boolean }} [more] */
    async getChunk(coords, { signal } = {}, { useSharedArrayBuffer = false } = {}) {
      const data = await view.chunk(coords, signal);
      return { data: held(zarr, data, type, useSharedArrayBuffer), shape: [...chunkShape], stride: [...stride] };
    },
  };
  return zarr.extendArray(base, zarr.defineArrayExtension(() => overrides));
}
