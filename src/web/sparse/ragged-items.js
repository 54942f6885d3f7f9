/** Ragged arrays whose features are items: arrays of any length, of the data type `ndarray` or the codec `vlen-array`. */
import { slice } from "../common/slice.js";
import { runsOf } from "./index-runs.js";
import { checkBytes, misfit, nameOf, shown, unsupported } from "./faults.js";
import { integers } from "./spans.js";

/** Most bytes of features end to end, unless the caller says otherwise. */
const LIMIT = 2 ** 28;

/** Numbers of one element of an array's items: complex ones have two. */
function numbersIn({ itemShape, metadata }) {
  const filter = metadata.filters?.find?.(({ id }) => id === "vlen-array");
  const type = String(metadata.data_type?.configuration?.dtype ?? filter?.dtype);
  return itemShape.slice(1).reduce((count, length) => count * length, /^(?:complex|[<>|=]?c\d)/.test(type) ? 2 : 1);
}

/** Features that are the items of an array with one axis. */
export class RaggedItems {
  #contents;
  #maxBytes;
  #step;

  constructor(contents, { maxBytes = LIMIT }) {
    checkBytes(0, maxBytes, "", "");
    if (contents.itemShape?.[0] !== null) throw unsupported("ragged items", `the items of ${nameOf(contents)} are no arrays of unequal length; pass offsets, counts, index or group`);
    if (contents.shape.length !== 1) throw unsupported("ragged items of several axes", `${nameOf(contents)} has ${contents.shape.length} axes; ragged takes items that lie along one: read others by get()`);
    this.#contents = contents;
    this.#maxBytes = maxBytes;
    this.#step = numbersIn(contents);
  }

  get length() {
    return this.#contents.shape[0];
  }

  async at(index, options) {
    if (!Number.isInteger(index)) throw misfit(0, `expected an integer, got ${shown(index)}`);
    const { data } = await this.#contents.get([index], options);
    return data[0];
  }

  /** @param {number | null} start @param {number | null} [stop] @param {any} [options] */
  async slice(start, stop = null, options = undefined) {
    const { ends, count } = runsOf(slice(start, stop), this.length, 0);
    const { data: items } = await this.#contents.get([count > 0 ? slice(ends[0], ends[1]) : slice(0, 0)], options);
    const total = items.reduce((sum, { length }) => sum + length, 0);
    const { constructor, BYTES_PER_ELEMENT } = items[0] ?? this.#contents.fillValue ?? new Float64Array();
    // Items that are not stored share one array, so that they may take far more than what was read.
    checkBytes(total * BYTES_PER_ELEMENT, this.#maxBytes, `${count} items of ${nameOf(this.#contents)}`, "read fewer at once, or raise maxBytes");
    const data = new constructor(total);
    const offsets = integers(count + 1, total / this.#step);
    let at = 0;
    items.forEach((item, nth) => {
      data.set(item, at);
      at += item.length;
      offsets[nth + 1] = at / this.#step;
    });
    return { offsets, data, shape: [total / this.#step, ...this.#contents.itemShape.slice(1)] };
  }
}
