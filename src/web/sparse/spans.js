/** Sorted spans of an axis that do not touch, and reads of an array with one axis by spans. */
import { slice } from "../common/slice.js";

/** Length from which a span is a read of its own; shorter ones cost less in a list of indices. */
const LONG = 2 ** 12;

/** Most elements of a list of indices, which bounds its memory. */
const LIST = 2 ** 20;

/** Reads of one array under way. Hundreds of them would each hold the bytes of a chunk that they share. */
const AT_ONCE = 8;

/** Largest integer of an Int32Array. */
export const MOST = 2 ** 31 - 1;

/** Array for integers from 0 to `most`. */
export const integers = (length, most) => new (most > MOST ? Float64Array : Int32Array)(length);

/** Joins spans in any order: sorted, touching and overlapping ones as one, empty ones left out. */
export function union(ends) {
  const order = [];
  let isSorted = true;
  for (let at = 0; at < ends.length; at += 2) {
    if (ends[at] >= ends[at + 1]) continue;
    isSorted &&= order.length === 0 || ends[order.at(-1)] <= ends[at];
    order.push(at);
  }
  if (!isSorted) order.sort((a, b) => ends[a] - ends[b]);
  const all = [];
  for (const at of order) {
    if (all.length > 0 && ends[at] <= all.at(-1)) all[all.length - 1] = Math.max(all.at(-1), ends[at + 1]);
    else all.push(ends[at], ends[at + 1]);
  }
  return all;
}

/** Spans of an axis, and what a read of them gives end to end. */
export class Spans {
  /** @param {number[]} ends start and stop of each span in turn, as `union` gives them */
  constructor(ends) {
    this.ends = ends;
    /** Elements in the spans before each one, and in all. */
    this.before = new Float64Array(ends.length / 2 + 1);
    for (let nth = 0; nth < ends.length / 2; nth++) this.before[nth + 1] = this.before[nth] + ends[2 * nth + 1] - ends[2 * nth];
  }

  /** Number of elements in all spans. */
  get length() {
    return this.before[this.before.length - 1];
  }

  /** Place in the read of the element at an index of the axis. */
  placeOf(index) {
    let [low, high] = [0, this.ends.length / 2];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.ends[2 * middle] <= index) low = middle;
      else high = middle;
    }
    return this.before[low] + index - this.ends[2 * low];
  }

  /** Index on the axis of the element at a place in the read. */
  indexOf(place) {
    const nth = this.before.findLastIndex((before) => before <= place);
    return this.ends[2 * nth] + place - this.before[nth];
  }

  /** Spans in parts that are read one by one: a long span by itself, others in lists. */
  *parts() {
    const { ends } = this;
    let [from, length] = [0, 0];
    for (let at = 0; at < ends.length; at += 2) {
      const own = ends[at + 1] - ends[at];
      if (length > 0 && (own >= LONG || length >= LIST)) {
        yield { from, to: at };
        [from, length] = [at, 0];
      }
      length += own;
      if (own < LONG) continue;
      yield { from, to: at + 2 };
      [from, length] = [at + 2, 0];
    }
    if (length > 0) yield { from, to: ends.length };
  }

  /** Selection of a part. */
  selection({ from, to }) {
    const { ends, before } = this;
    if (to - from === 2) return slice(ends[from], ends[from + 1]);
    const isWide = ends[to - 1] > MOST;
    const all = new (isWide ? BigInt64Array : Int32Array)(before[to / 2] - before[from / 2]);
    let place = 0;
    for (let at = from; at < to; at += 2) {
      for (let index = ends[at]; index < ends[at + 1]; index++) all[place++] = isWide ? BigInt(index) : index;
    }
    return all;
  }

  /** Reads the elements of an array that lie in the spans, end to end. */
  async read(array, options) {
    const { before, ends, length } = this;
    const all = new (await kindOf(array, options))(length);
    if (ends.length === 0) return all;
    const parts = this.parts();
    const readSome = async () => {
      for (const part of parts) {
        const out = all.subarray(before[part.from / 2], before[part.to / 2]);
        await array.get([this.selection(part)], { ...options, out });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readSome));
    return all;
  }
}

/** Class of the typed arrays that a read gives; makes no request. */
export const kindOf = async (array, options) => (await array.get([slice(0, 0)], options)).data.constructor;
