/**
 * Data types of regular views: each is shown as a core type of Zarr v3, which every reader supports. Types without a
 * typed array of their own are shown as the type that `get` returns.
 *
 * Spec: https://zarr-specs.readthedocs.io/en/latest/v3/data-types/
 */

import { allDigits, json } from "../common/json-text.js";
import { failure } from "../stores/common.js";

const NUMBERS = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: globalThis.Float16Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Types that are shown as another type; 4-, 6- and 8-bit floats are shown as float32. */
const WIDER = {
  int2: "int8",
  int4: "int8",
  uint2: "uint8",
  uint4: "uint8",
  bfloat16: "float32",
  "numpy.datetime64": "int64",
  "numpy.timedelta64": "int64",
  complex_float16: "complex64",
  complex_bfloat16: "complex64",
  complex_float32: "complex64",
  complex_float64: "complex128",
  fixed_length_utf32: "string",
  null_terminated_bytes: "string",
  // Engines without Float16Array read float16 as float32.
  ...(globalThis.Float16Array ? {} : { float16: "float32" }),
};

const COMPLEX = { complex64: Float32Array, complex128: Float64Array };

/** @returns {never} */
function refuseObject() {
  throw failure("UnsupportedError", "a regular view shows objects as text, and an item is neither text nor JSON; read it with get()", { feature: "v2:object" });
}

/** Text of an item of Zarr v2's object arrays: text as it is, JSON values as JSON; null is the empty text. */
function objectText(value) {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : json(value, refuseObject, allDigits);
}

/** Smallest int64, which means NaT ("not a time"). */
const NOT_A_TIME = -(2n ** 63n);

/** Estimated bytes of a string, to choose the chunk shape. */
const STRING_BYTES = 16;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function text(item) {
  if (typeof item === "string") return item;
  try {
    return utf8.decode(item);
  } catch {
    throw failure("UnsupportedError", "a regular view shows null_terminated_bytes as text, and an item is not valid UTF-8; read it with get()", {
      feature: "null_terminated_bytes",
    });
  }
}

const same = (data) => data;

/** Whether a shown type is one of numbers or booleans. */
export const isNumbers = (name) => name in NUMBERS;

/**
 * @typedef {object} Shown
 * @property {string} name name of the data type in Zarr v3
 * @property {number} each elements of `data` for each item
 * @property {number} itemBytes
 * @property {unknown[]} fill elements of the fill value
 * @property {boolean} [isFillOpen] whether Zarr v2 metadata leave the fill value open, so that no value means missing
 * @property {(data: any) => any} dataOf converts the data of a read
 * @property {object} [options] options of the reads
 * @property {(box: object[], signal?: AbortSignal) => Promise<{ data: any, shape: number[] }>} [read] replaces `get`
 * @property {(attrs: Record<string, any>) => Record<string, any>} [attrsOf] attributes that hold for what is shown
 */

/** @returns {Shown} */
export function shownAs(array) {
  const { dtype, fillValue } = array;
  const isFillOpen = fillValue === null;
  const name = WIDER[dtype] ?? (/^float[468]_/.test(dtype) ? "float32" : dtype);
  if (NUMBERS[name]) {
    const { BYTES_PER_ELEMENT: itemBytes } = NUMBERS[name];
    const none = dtype.startsWith("numpy.") ? NOT_A_TIME : itemBytes === 8 && name !== "float64" ? 0n : 0;
    const fill = NUMBERS[name].of(fillValue === true ? 1 : fillValue === false ? 0 : (fillValue ?? none));
    return { name, each: 1, itemBytes, fill: [...fill], isFillOpen, dataOf: same };
  }
  if (COMPLEX[name]) {
    const itemBytes = 2 * COMPLEX[name].BYTES_PER_ELEMENT;
    return { name, each: 2, itemBytes, fill: [...(fillValue ?? [0, 0])], isFillOpen, dataOf: same };
  }
  if (name === "string") {
    const dataOf = dtype === "null_terminated_bytes" ? (data) => data.map(text) : same;
    return { name, each: 1, itemBytes: STRING_BYTES, fill: [text(fillValue ?? "")], isFillOpen, dataOf };
  }
  if (dtype === "v2:object") {
    return { name: "string", each: 1, itemBytes: STRING_BYTES, fill: [objectText(fillValue)], isFillOpen, dataOf: (data) => data.map(objectText) };
  }
  if (dtype === "raw_bytes" || /^r\d+$/.test(dtype)) {
    const each = itemBytesOf(array);
    return { name: `r${each * 8}`, each, itemBytes: each, fill: [...(fillValue ?? new Uint8Array(each))], dataOf: same };
  }
  const advice = array.fields ? "get(selection, { fields })" : "get()";
  const message = `a regular view cannot show the data type ${dtype}, which is not a core type of Zarr v3; read it with ${advice}`;
  throw failure("UnsupportedError", message, { feature: dtype });
}

/** Bytes of an item of raw bits or of a struct; for an array without items, from the fill value. */
export function itemBytesOf(array) {
  const { shape, fillValue } = array;
  return shape.includes(0) ? (fillValue?.length ?? 1) : array.plan(shape.map(() => 0)).bytes;
}
