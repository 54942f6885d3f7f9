/** Ragged arrays: features of unequal length in one array. */
import { slice } from "../common/slice.js";
import { runsOf } from "./index-runs.js";
import { checkOptions } from "../common/options.js";
import { layoutOf } from "./ragged-layout.js";
import { misfit, shown } from "./faults.js";
import { RaggedItems } from "./ragged-items.js";
import { Spans, integers } from "./spans.js";

/** First element that a list of 32-bit integers cannot name. */
const WIDE = 2 ** 31;

/** Features of unequal length along the first axis of an array. */
class Ragged {
  #contents;
  #layout;

  constructor(contents, layout) {
    this.#contents = contents;
    this.#layout = layout;
  }

  get length() {
    return this.#layout.length;
  }

  /** Selection of the elements from one offset to another. */
  #elements(start, stop) {
    const { order } = this.#layout;
    if (!order) return slice(start, stop);
    const places = order.subarray(start, stop);
    return this.#contents.shape[0] > WIDE ? BigInt64Array.from(places, BigInt) : places;
  }

  async at(index, options) {
    if (!Number.isInteger(index)) throw misfit(0, `expected an integer, got ${shown(index)}`);
    const { ends } = runsOf(index, this.length, 0);
    const offsetOf = await this.#layout.pointers.of(new Spans(ends), options?.signal);
    const { data } = await this.#contents.get([this.#elements(...ends.map(offsetOf))], options);
    return data;
  }

  /** @param {number | null} start @param {number | null} [stop] @param {any} [options] */
  async slice(start, stop = null, options = undefined) {
    const { ends, count } = runsOf(slice(start, stop), this.length, 0);
    const [from, to] = ends.length > 0 ? ends : [0, 0];
    const offsetOf = await this.#layout.pointers.of(new Spans(ends), options?.signal);
    const [begin, end] = count > 0 ? [offsetOf(from), offsetOf(to)] : [0, 0];
    const region = await this.#contents.get([this.#elements(begin, end)], options);
    const offsets = integers(count + 1, end - begin);
    for (let nth = 1; nth <= count; nth++) offsets[nth] = offsetOf(from + nth) - begin;
    return { offsets, data: region.data, shape: region.shape };
  }
}

/** Implements `ragged`. */
export async function openRagged(contents, given) {
  checkOptions("ragged", given, "offsets counts index length group items signal maxBytes");
  const options = given ?? {};
  if (typeof contents?.getChunk !== "function") throw new TypeError("ragged expects an opened array as its first argument; was its open awaited?");
  if (contents.shape.length === 0) throw misfit(0, "the array has no axis");
  if (options.items ?? false) return new RaggedItems(contents, options);
  return new Ragged(contents, await layoutOf(contents, options));
}
