/**
 * Items between this package and custom codecs: bytes in C order, little endian, on our side; typed arrays with
 * shape and strides, as zarrita has them, on theirs. What comes from a codec is checked and copied at once, because its
 * memory may be shared, or detached later.
 */

/** Classes of typed arrays by the data type of their items; the first one is made, the others are accepted too. */
const CLASSES = {
  bool: ["Uint8Array"],
  int8: ["Int8Array"],
  uint8: ["Uint8Array", "Uint8ClampedArray"],
  int16: ["Int16Array"],
  uint16: ["Uint16Array"],
  float16: ["Float16Array", "Uint16Array"],
  int32: ["Int32Array"],
  uint32: ["Uint32Array"],
  float32: ["Float32Array"],
  int64: ["BigInt64Array"],
  uint64: ["BigUint64Array"],
  float64: ["Float64Array"],
  "numpy.datetime64": ["BigInt64Array"],
  "numpy.timedelta64": ["BigInt64Array"],
};

/** Whether items of a data type have a typed array, with which a codec can calculate. */
export const hasClass = (dataType) => Object.hasOwn(CLASSES, dataType);

/** Name of a typed array's class, in any realm; undefined for other values. */
const classOf = (value) => (ArrayBuffer.isView(value) ? value[Symbol.toStringTag] : undefined);

/** A value in words, for messages. */
const shown = (value) => classOf(value) ?? (value === null || typeof value !== "object" ? String(value) : `an object of class ${value.constructor?.name ?? "null"}`);

/** Failure of a codec: what it gave and what was expected. */
export class Unfit extends Error {
  constructor(got, expected) {
    super(`it gave ${got}, expected ${expected}`);
    Object.assign(this, { got, expected });
  }
}

/**
 * A view of the bytes of a typed array, or of an array like zarrita's of booleans; undefined for other values.
 *
 * @returns {any}
 */
function viewed(data) {
  const buffer = data?.buffer;
  if (typeof buffer?.byteLength !== "number" || typeof data.byteLength !== "number") return undefined;
  try {
    return new Uint8Array(buffer, data.byteOffset, data.byteLength);
  } catch {
    throw new Unfit("a detached buffer", "bytes that stay in place until they are copied");
  }
}

/** The bytes of a codec's result, copied. `size`: the most bytes, or the exact number of them. */
export function copiedBytes(result, { bytes, isExact }) {
  if (classOf(result) !== "Uint8Array") throw new Unfit(shown(result), "a Uint8Array");
  const view = viewed(result);
  if (isExact ? view.length !== bytes : view.length > bytes) throw new Unfit(`${view.length} bytes`, isExact ? `${bytes} bytes` : `at most ${bytes} bytes`);
  return view.slice();
}

/** Strides of items in C order. */
const cStrides = (shape) => shape.map((_, axis) => shape.slice(axis + 1).reduce((product, edge) => product * edge, 1));

/** Copies items by their strides to C order; an item is `width` words. */
function gathered(words, { shape, stride }, width) {
  const rank = shape.length;
  const to = new words.constructor(shape.reduce((product, edge) => product * edge, width));
  const [edge, step] = rank ? [shape[rank - 1], stride[rank - 1] * width] : [1, 0];
  const index = new Array(rank).fill(0);
  for (let at = 0, row = 0; at < to.length; ) {
    for (let item = 0, from = row; item < edge; item++, from += step) {
      for (let word = 0; word < width; word++) to[at++] = words[from + word];
    }
    for (let axis = rank - 2; axis >= 0; axis--) {
      row += stride[axis] * width;
      if (++index[axis] < shape[axis]) break;
      row -= stride[axis] * width * shape[axis];
      index[axis] = 0;
    }
  }
  return new Uint8Array(to.buffer);
}

/** The items of a codec's result in C order, copied: a typed array alone, or `{ data, shape, stride }`. */
export function copiedItems(result, { dataType, itemSize, shape }) {
  const isAlone = classOf(result) !== undefined;
  const { data, shape: found = shape, stride = cStrides(shape) } = isAlone ? { data: result } : (result ?? {});
  const view = viewed(data);
  const known = CLASSES[dataType] ?? [];
  const isItems = known.includes(classOf(data)) || (dataType === "bool" && data?.BYTES_PER_ELEMENT === 1);
  if (!view || !(isItems || classOf(data) === "Uint8Array")) {
    throw new Unfit(isAlone || !result?.data ? shown(result) : `data of ${shown(data)}`, `${dataType} as ${known[0] ?? "Uint8Array"}, alone or as data with shape and stride`);
  }
  const same = (one, other) => one?.length === other.length && other.every((edge, axis) => one[axis] === edge);
  if (!same(found, shape)) throw new Unfit(`the shape [${found}]`, `the shape [${shape}]`);
  if (stride?.length !== shape.length || !Array.prototype.every.call(stride, Number.isSafeInteger)) throw new Unfit(`the strides [${stride}]`, `${shape.length} whole numbers`);
  const items = shape.reduce((product, edge) => product * edge, 1);
  const held = view.length / itemSize;
  if (isAlone && held !== items) throw new Unfit(`${view.length} bytes`, `${items * itemSize} bytes`);
  if (items === 0) return new Uint8Array(0);
  const reach = (isEnd) => shape.reduce((sum, edge, axis) => sum + (stride[axis] > 0 === isEnd ? (edge - 1) * stride[axis] : 0), 0);
  if (reach(false) < 0 || reach(true) >= Math.floor(held)) {
    throw new Unfit(`${view.length} bytes with the strides [${stride}]`, `the ${items * itemSize} bytes of ${items} items, within the data`);
  }
  if (same(stride, cStrides(shape))) return view.slice(0, items * itemSize);
  // The widest words of an item that are copied bit by bit.
  const Words = itemSize % 4 === 0 ? Uint32Array : itemSize % 2 === 0 ? Uint16Array : Uint8Array;
  const width = itemSize / Words.BYTES_PER_ELEMENT;
  const aligned = view.byteOffset % Words.BYTES_PER_ELEMENT === 0 ? view : view.slice();
  return gathered(new Words(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / Words.BYTES_PER_ELEMENT)), { shape, stride }, width);
}

/**
 * A chunk as zarrita's codecs take it: a typed array in C order, its shape and strides, from bytes that are ours.
 *
 * @param {Uint8Array} bytes
 * @param {{ dataType: string, shape: number[], strides: number[] }} array `strides` in bytes, in any order of the axes
 */
export function chunkOf(bytes, { dataType, shape, strides }) {
  const [name, other] = CLASSES[dataType];
  const Items = globalThis[name] ?? globalThis[other];
  const stride = cStrides(shape);
  const itemSize = Items.BYTES_PER_ELEMENT;
  // A transpose relabels strides, and codecs may give back a flat array.
  const isOrdered = stride.every((step, axis) => shape[axis] === 1 || step * itemSize === strides[axis]);
  const ordered = isOrdered ? bytes : copiedItems({ data: bytes, shape, stride: strides.map((step) => step / itemSize) }, { dataType, itemSize, shape });
  const aligned = ordered.byteOffset % itemSize === 0 ? ordered : ordered.slice();
  return { data: new Items(aligned.buffer, aligned.byteOffset, aligned.byteLength / itemSize), shape, stride };
}
