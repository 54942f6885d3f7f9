/** Methods of resampling: the kernel of each, and how values under it become one, as in GDAL's warp. NaN is missing. */

/** Kernels by method: their shape, and how values become one. */
const METHODS = { nearest: "point", bilinear: "tent", average: "box", mode: "box" };

/** Names of methods. */
export const NAMES = Object.keys(METHODS);

/**
 * Cells to a pixel, as GDAL rounds them: near a whole number they are that number, and little more than one is one.
 *
 * @param {readonly number[]} ratio along columns and rows
 */
function widened(ratio) {
  const near = ratio.map((cells) => (cells > 1 && Math.abs(cells - Math.round(cells)) < 0.05 ? Math.round(cells) : Math.max(cells, 1)));
  return near.every((cells) => cells <= 1 / 0.95) ? [1, 1] : near;
}

/**
 * A method for a ratio of cells to a pixel. A bilinear kernel is as wide as a pixel, or as four cells where `isNarrow`.
 *
 * @param {string} name
 * @param {readonly number[]} ratio
 * @param {boolean} [isNarrow]
 */
export function methodOf(name, ratio, isNarrow = false) {
  const shape = METHODS[name];
  const scale = shape !== "tent" ? ratio : isNarrow ? [1, 1] : widened(ratio);
  // Four cells around a missing one do not fill it: gaps keep their form. A wider kernel would lose all of sparse data.
  return { name, shape, scale, keepsGaps: shape === "tent" && scale[0] === 1 && scale[1] === 1 };
}

/** A mean by weights, of values that are not missing. */
class Mean {
  sum = 0;
  total = 0;

  clear() {
    this.sum = 0;
    this.total = 0;
  }

  /** Adds a line of cells. */
  add(data, base, weight, { cells, weights }, from, to) {
    for (let i = from; i < to; i++) {
      const value = data[base + cells[i]];
      if (value !== value) continue;
      const share = weight * weights[i];
      this.sum += share * value;
      this.total += share;
    }
  }

  value() {
    return this.total > 0 ? this.sum / this.total : NaN;
  }
}

/** Share by which equal areas may differ, as they are sums. */
const ROUNDING = 1e-6;

/** The value of the largest area; of several, the one that was the first to have as much. */
class Votes {
  found = [];
  sums = [];
  /** @type {Map<number, number>} places in the lists, where they are long */
  places = new Map();
  best = -1;

  clear() {
    this.found.length = 0;
    if (this.places.size) this.places.clear();
    this.best = -1;
  }

  #placeOf(value) {
    const { found, places } = this;
    if (found.length <= 16) return found.indexOf(value);
    if (!places.size) found.forEach((one, nth) => places.set(one, nth));
    return places.get(value) ?? -1;
  }

  add(data, base, weight, { cells, weights }, from, to) {
    const { found, sums, places } = this;
    for (let i = from; i < to; i++) {
      const value = data[base + cells[i]];
      const share = weight * weights[i];
      if (value !== value || !(share > 0)) continue;
      let nth = this.#placeOf(value);
      if (nth < 0) {
        nth = found.push(value) - 1;
        if (places.size) places.set(value, nth);
        sums[nth] = share;
      } else sums[nth] += share;
      if (this.best < 0 || sums[nth] > sums[this.best] * (1 + ROUNDING)) this.best = nth;
    }
  }

  value() {
    return this.best < 0 ? NaN : this.found[this.best];
  }
}

/** What makes one value of the values under a pixel. */
export const resultOf = ({ name }) => (name === "mode" ? new Votes() : new Mean());
