/** Look-ups of labels along an axis that closes after a period, as longitudes do after 360 degrees. */
import { direction } from "./search.js";

const isLongitude = ({ attrs }, name) => /^degrees?_?e(?:ast)?$/i.test(attrs.units) || attrs.standard_name === "longitude" || /^lon(?:gitude)?$/i.test(name);

/**
 * Period of an axis by the option `wrap`: a number for all axes of longitudes, or an object by the names of dimensions.
 *
 * @param {any} wrap
 * @param {string} name
 * @param {any} array coordinate of the axis
 */
export function periodOf(wrap, name, array) {
  return typeof wrap === "number" ? (isLongitude(array, name) ? wrap : undefined) : Object.hasOwn(wrap, name) ? wrap[name] : undefined;
}

/**
 * Checks the option `wrap` against the axes of a query: it must hold for one of them.
 *
 * @param {any} wrap a number, or a plain object made by `given`
 * @param {{ name: string, array?: any }[]} axes names of dimensions, and their coordinates
 */
export function checkWrap(wrap, axes) {
  const isPeriod = (period) => typeof period === "number" && Number.isFinite(period) && period > 0;
  const isByName = typeof wrap === "object" && wrap !== null && Object.getPrototypeOf(wrap) === Object.prototype && Object.values(wrap).every(isPeriod);
  if (!isPeriod(wrap) && !isByName) throw new TypeError("the option wrap is a period above 0, such as 360, or an object of periods by dimension name, such as { lon: 360 }");
  const labelled = axes.filter(({ array }) => array);
  if (!isByName && !labelled.some(({ name, array }) => periodOf(wrap, name, array))) {
    throw new TypeError(`the option wrap is ${wrap}, and no dimension of the query has longitudes; name one, as in { wrap: { ${axes[0]?.name ?? "lon"}: ${wrap} } }`);
  }
  const unknown = isByName && Object.keys(wrap).find((name) => !labelled.some((one) => one.name === name));
  if (unknown) throw new TypeError(`the option wrap names ${JSON.stringify(unknown)}, which is no dimension of the query that has a coordinate`);
}

/** Keys of an axis on a circle. */
export class Circle {
  /** @param {Float64Array} keys @param {number} period @param {boolean} single whether the keys are rounded to float32 */
  constructor(keys, period, single) {
    this.keys = keys;
    this.period = period;
    /** Distance within which places are the same: sums of periods are rounded. */
    this.same = period * (single ? 2 ** -22 : 2 ** -40);
  }

  /** Way upwards from one place to another, less than a period. */
  up(from, to) {
    const way = (((to - from) % this.period) + this.period) % this.period;
    return this.period - way <= this.same ? 0 : way;
  }

  /** Position of the key at a place, the one nearest to the label as it is written; -1 where there is none. */
  at(label) {
    let found = -1;
    this.keys.forEach((key, i) => {
      const isThere = this.up(label, key) <= this.same;
      if (isThere && !(found >= 0 && Math.abs(this.keys[found] - label) <= Math.abs(key - label))) found = i;
    });
    return found;
  }

  /** Whether a method looks downwards only, and whether upwards only. */
  #ways(method) {
    const isDown = method !== "nearest" && (method === "pad") === direction(this.keys) > 0;
    return [isDown, method !== "nearest" && !isDown];
  }

  /** Way upwards, less than 0 where it leads down, from a label to the key that a method finds for it. */
  shift(label, key, method) {
    const [above, below] = [this.up(label, key), this.up(key, label)];
    const [isDown, isUp] = this.#ways(method);
    return isDown || (!isUp && below < above) ? -below : above;
  }

  /** Position of the key near a label by a method, within the tolerance; the upper one of two that are equally near. */
  near(label, method, tolerance) {
    const [isDown, isUp] = this.#ways(method);
    const there = this.at(label);
    if (there >= 0) return there;
    let [found, least] = [-1, Infinity];
    this.keys.forEach((key, i) => {
      const [above, below] = [this.up(label, key), this.up(key, label)];
      const way = isDown ? below : isUp ? above : Math.min(above, below);
      // Of one above and one below at the same distance, the one above.
      const isUpper = () => method === "nearest" && Math.abs(way - least) <= this.same && this.up(label, this.keys[found]) > above + this.same;
      if (way < least - this.same || isUpper()) [found, least] = [i, way];
    });
    return least <= Number(tolerance) + this.same ? found : -1;
  }

  /** Way of a range: a whole period or more is all around. An end below the beginning lies after the seam. */
  width(from, to) {
    return to - from >= this.period - this.same ? this.period : this.up(from, to);
  }

  /** Selection of the keys from a place upwards, in the direction of the axis. */
  range(from, width, step = 1) {
    const isThere = (i) => this.up(from, this.keys[i]) <= width + this.same;
    const way = Float64Array.from(this.keys, (key) => this.up(from, key));
    const falls = direction(this.keys) < 0;
    const found = [...this.keys.keys()].filter(isThere).sort((a, b) => (falls ? way[b] - way[a] : way[a] - way[b]) || a - b);
    const chosen = found.filter((_, nth) => nth % step === 0);
    if (chosen.length === 0) return { start: 0, stop: 0 };
    const [first] = chosen;
    return chosen.every((place, nth) => place === first + nth) ? { start: first, stop: first + chosen.length } : chosen;
  }
}
