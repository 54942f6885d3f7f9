/**
 * An array as one of regular chunks: each is read from whatever chunks it overlaps, which the array keeps decoded
 * (`cacheBytes`), and comes whole, with the fill value past the array's edge.
 */

import { chunkShapeOf } from "./chunk-shape.js";
import { SharedReads } from "./shared-reads.js";

/** The chunk shape that was asked for, checked. */
function checked(chunkShape, { shape }) {
  const isRight = chunkShape.length === shape.length && chunkShape.every((edge) => Number.isSafeInteger(edge) && edge > 0);
  if (isRight) return [...chunkShape];
  throw new RangeError(`chunkShape [${chunkShape}] is none for the shape [${shape}]: it needs a whole number from 1 on for each axis`);
}

export class RegularView {
  #reads = new SharedReads();

  /**
   * @param {object} array
   * @param {import("./regular-types.js").Shown} type what its items are shown as
   * @param {readonly number[]} [chunkShape] chosen where none is given
   */
  constructor(array, type, chunkShape) {
    this.array = array;
    this.type = type;
    /** Kept for good, as the chunks' names mean nothing without it, however the array grows. */
    this.chunkShape = chunkShape ? checked(chunkShape, array) : chunkShapeOf(array, this.type.itemBytes);
  }

  /** Whether there is such a chunk. */
  has(coords) {
    const { shape } = this.array;
    return coords.length === shape.length && coords.every((at, axis) => at * this.chunkShape[axis] < shape[axis]);
  }

  /**
   * A chunk's data, in C order, yours to keep and change.
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

/** The data of a box at the start of a chunk that is larger. */
function padded(data, shape, chunkShape, { each, fill }) {
  const size = chunkShape.reduce((items, edge) => items * edge, 1);
  const whole = new data.constructor(size * each);
  if (each === 1) whole.fill(fill[0]);
  else if (fill.some((element) => element !== 0)) for (let at = 0; at < whole.length; at += each) whole.set(fill, at);
  // Axes that the box fills, from the last one on, and the next one before them, lie in one piece.
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
