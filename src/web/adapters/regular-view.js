/**
 * Regular view: an array with regular chunks. Each chunk is read from the array's chunks that it overlaps, which the
 * array caches (`cacheBytes`), and has its full shape, with the fill value past the array's end.
 */

import { chunkShapeOf } from "./chunk-shape.js";
import { SharedReads } from "./shared-reads.js";

/** Checks the chunk shape that the caller passed. */
function checked(chunkShape, { shape }) {
  const isRight = chunkShape.length === shape.length && chunkShape.every((edge) => Number.isSafeInteger(edge) && edge > 0);
  if (isRight) return [...chunkShape];
  throw new RangeError(`chunkShape [${chunkShape}] does not fit the shape [${shape}]: expected a positive integer for each axis`);
}

export class RegularView {
  #reads = new SharedReads();

  /**
   * @param {object} array
   * @param {import("./regular-types.js").Shown} type type that the items are shown as
   * @param {readonly number[]} [chunkShape] chosen by `chunkShapeOf` if omitted
   */
  constructor(array, type, chunkShape) {
    this.array = array;
    this.type = type;
    /** Fixed even if the array grows, because chunk keys depend on it. */
    this.chunkShape = chunkShape ? checked(chunkShape, array) : chunkShapeOf(array, this.type.itemBytes);
  }

  /** Whether the view has a chunk at these coordinates. */
  has(coords) {
    const { shape } = this.array;
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
    const { array, chunkShape, type } = this;
    const { shape } = array;
    const start = coords.map((at, axis) => Math.min(at * chunkShape[axis], shape[axis]));
    const stop = start.map((first, axis) => Math.min(first + chunkShape[axis], shape[axis]));
    const box = start.map((first, axis) => ({ start: first, stop: stop[axis], step: null }));
    const read = await array.get(box, { signal });
    const data = type.dataOf(read.data);
    return chunkShape.every((edge, axis) => edge === read.shape[axis]) ? data : padded(data, read.shape, chunkShape, type);
  }
}

/** Copies the data of a box into a larger chunk, at its start, and fills the rest with the fill value. */
function padded(data, shape, chunkShape, { each, fill }) {
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
  if (ArrayBuffer.isView(data)) whole.set(data.subarray(from, from + length), to);
  else for (let nth = 0; nth < length; nth++) whole[to + nth] = data[from + nth];
}
