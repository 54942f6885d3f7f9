/**
 * Regular view: an array with regular chunks. Each chunk is read from the array's chunks that it overlaps, which the
 * array caches (`cacheBytes`), and has its full shape, with the fill value past the array's end.
 */

import { reordered } from "./axis-order.js";
import { chunkShapeOf } from "./chunk-shape.js";
import { SharedReads } from "./shared-reads.js";

/** Checks the chunk shape that the caller passed. */
function checked(chunkShape, shape) {
  const isRight = chunkShape.length === shape.length && chunkShape.every((edge) => Number.isSafeInteger(edge) && edge > 0);
  if (isRight) return [...chunkShape];
  throw new RangeError(`chunkShape [${chunkShape}] does not fit the shape [${shape}]: expected a positive integer for each axis`);
}

export class RegularView {
  #reads = new SharedReads();
  /** @type {Record<string, any>} */
  #known = {};

  /**
   * @param {any} array
   * @param {import("./types.js").Shown} type type that the items are shown as
   * @param {readonly number[]} [chunkShape] along the view's axes; chosen by `chunkShapeOf` if omitted
   * @param {readonly number[]} [order] axis of the array for each axis of the view; its own order if omitted
   */
  constructor(array, type, chunkShape, order) {
    this.array = array;
    this.type = type;
    this.order = order;
    /** Fixed even if the array grows, because chunk keys depend on it. */
    this.chunkShape = chunkShape ? checked([...chunkShape], this.shape) : chunkShapeOf(this.#grid(), this.type.itemBytes);
  }

  /** Values for each axis of the array in the order of the view. */
  #ordered(values) {
    return this.order ? this.order.map((axis) => values[axis]) : values;
  }

  /** Values for each axis of the view in the order of the array. */
  #stored(values) {
    const { order } = this;
    return order ? values.map((_, axis) => values[order.indexOf(axis)]) : values;
  }

  /**
   * Values that `make` finds once for the array as it is: a refresh gives it another grid. Each property of an array is
   * made anew when it is asked for, which costs more than a small chunk.
   *
   * @template T
   * @param {string} name
   * @param {() => T} make
   * @returns {T}
   */
  once(name, make) {
    const { chunkGrid } = this.array;
    if (this.#known.chunkGrid !== chunkGrid) this.#known = { chunkGrid };
    return (this.#known[name] ??= make());
  }

  /** Length of each axis of the view. */
  get shape() {
    return this.once("shape", () => this.#ordered(this.array.shape));
  }

  get dimensionNames() {
    return this.array.dimensionNames && this.#ordered(this.array.dimensionNames);
  }

  /** Shape and chunks along the axes of the view. */
  #grid() {
    const { chunkGrid, innerChunkGrid = chunkGrid } = this.array;
    return { shape: this.shape, chunkGrid: { runs: (axis) => innerChunkGrid.runs(this.order?.[axis] ?? axis) } };
  }

  /** Whether the view has a chunk at these coordinates. */
  has(coords) {
    const { shape } = this;
    return coords.length === shape.length && coords.every((at, axis) => at * this.chunkShape[axis] < shape[axis]);
  }

  /**
   * Reads a chunk in C order; the caller owns the data.
   *
   * @param {number[]} coords
   * @param {AbortSignal} [signal]
   */
  chunk(coords, signal) {
    return this.#reads.share(coords.join("/"), signal, (signal) => this.#read(coords, signal), (data) => data.slice());
  }

  async #read(coords, signal) {
    const { array, chunkShape, order, shape, type } = this;
    const start = coords.map((at, axis) => Math.min(at * chunkShape[axis], shape[axis]));
    const stop = start.map((first, axis) => Math.min(first + chunkShape[axis], shape[axis]));
    const box = start.map((first, axis) => ({ start: first, stop: stop[axis], step: null }));
    const read = await (type.read?.(this.#stored(box), signal) ?? array.get(this.#stored(box), { ...type.options, signal }));
    const found = type.dataOf(read.data);
    const data = order ? reordered(found, read.shape, [...order], type.each) : found;
    const edges = this.#ordered(read.shape);
    return chunkShape.every((edge, axis) => edge === edges[axis]) ? data : padded(data, edges, chunkShape, type);
  }
}

/** Copies the data of a box into a larger chunk, at its start, and fills the rest with the fill value. */
export function padded(data, shape, chunkShape, { each, fill }) {
  const size = chunkShape.reduce((items, edge) => items * edge, 1);
  const whole = new data.constructor(size * each);
  if (each === 1) whole.fill(fill[0]);
  else if (fill.some((element) => element !== 0)) for (let at = 0; at < whole.length; at += each) whole.set(fill, at);
  // The trailing axes that the box fills, and the axis before them, are contiguous in both.
  let axis = shape.length - 1;
  let [piece, step] = [each, each];
  for (; axis >= 0; axis--) {
    piece *= shape[axis];
    step *= chunkShape[axis];
    if (shape[axis] !== chunkShape[axis] || axis === 0) break;
  }
  const [outer, edges] = [shape.slice(0, axis), chunkShape.slice(0, axis)];
  const pieces = piece === 0 ? 0 : data.length / piece;
  const place = new Array(outer.length).fill(0);
  for (let nth = 0; nth < pieces; nth++) {
    const to = place.reduce((sum, at, outerAxis) => sum * edges[outerAxis] + at, 0) * step;
    put(whole, data, nth * piece, piece, to);
    for (let last = outer.length - 1; last >= 0 && ++place[last] === outer[last]; last--) place[last] = 0;
  }
  return whole;
}

function put(whole, data, from, length, to) {
  if (ArrayBuffer.isView(data)) whole.set(/** @type {any} */ (data).subarray(from, from + length), to);
  else for (let nth = 0; nth < length; nth++) whole[to + nth] = data[from + nth];
}
